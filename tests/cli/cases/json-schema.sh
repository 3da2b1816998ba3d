# docs/json-schema.json is what --help says of the columns, and what the other cases print.
"$here/json-schema" "$repo/docs/json-schema.json" "$build/farmemctl" "$here"/cases/*.out
