# tests/lint commits says what a commit lacks, and that it cannot look where there is no history.
lint() {
	echo "\$ tests/lint commits"
	tests/lint commits 2>&1 | sed 's/^[0-9a-f]* \([a-z]*:\)/COMMIT \1/; s/since [0-9a-f]*/since COMMIT/'
	echo "exit ${PIPESTATUS[0]}"
}

# commit SUBJECT ARG... - an empty one.
commit() {
	git -c user.name=N -c user.email=n@example.com -c commit.gpgsign=false \
		commit -q --allow-empty -m "$@"
}

mkdir tests
cp "$repo/tests/lint" tests
export GIT_CONFIG_GLOBAL=/dev/null GIT_DIR=$box/.git
git init -q .
commit 'no area, nor signed'
lint
sed -i "s/^FIRST_COMMIT=.*/FIRST_COMMIT=$(git rev-parse HEAD)/" tests/lint
commit 'tools: say what is wrong' -s
commit 'docs, tests: say how' -s
lint
commit 'tools: tell' -m 'Why.'
commit 'window: open it' -s
commit 'tools: write sixty-six characters, which is one more than allowed.' -s
lint
