# SPDX-License-Identifier: GPL-2.0
# What the programs beside this share. The results are
#   { commit, records: [ { kernel, mode, contender, work, value, unit, ratio } ] }
# with less being better in every record, and ratio that to the floor.

def median:
  sort | if length % 2 == 1 then .[length / 2 | floor]
         else (.[length / 2 - 1] + .[length / 2]) / 2 end;

# The work of the floor that a work's every I/O contains.
def floor_work:
  if test("^(read-4k-1|write-4k-1|read-128k|write-128k)$") then .
  elif test("^fault") then "read-4k-1"
  elif test("^(read|mixed)-4k-32") then "read-4k-32"
  elif test("^(write-4k-32|dirty)") then "write-4k-32"
  else null end;

def timed: .unit == "instructions" or .unit == "ns";

def round_to($digits): . * $digits | round / $digits;

# Records with their ratio to the floor of the same guest.
def with_ratios:
  (map(select(.contender == "floor") | { key: "\(.kernel) \(.mode) \(.work)", value })
    | from_entries) as $floors
  | map((.work | floor_work) as $work
    | $floors["\(.kernel) \(.mode) \($work)"] as $floor
    | .ratio = if timed and $floor then .value / $floor | round_to(1000) else null end);

# An expression of targets.list and bounds: numbers and CONTENDER:WORK[@MODE],
# counted instructions unless told, joined by "+", "-" and "*" between spaces.
# null when something of it was not measured.
def product_of($values):
  reduce (split(" * ")[] | (tonumber? // $values[.])) as $factor
    (1; if . == null or $factor == null then null else . * $factor end);

def evaluate($values):
  reduce (gsub(" - "; " + -1 * ") | split(" + ")[] | product_of($values)) as $term
    (0; if . == null or $term == null then null else . + $term end);

# The values that expressions name, of one kernel.
def values_of($kernel):
  map(select(.kernel == $kernel)
    | { key: "\(.contender):\(.work)\(if .mode == "icount" then "" else "@" + .mode end)", value })
  | from_entries;
