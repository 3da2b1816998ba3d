# SPDX-License-Identifier: GPL-2.0
# What the programs beside this share. The results are
#   { records: [ { kernel, release, mode, contender, work, value, unit, ratio, commit } ] }
# with less being better in every record, release that of the kernel (uname -r), ratio that
# to the floor, and commit what it was measured at: a later run of a part of it all replaces
# that part.

def median:
  sort | if length % 2 == 1 then .[length / 2 | floor]
         else (.[length / 2 - 1] + .[length / 2]) / 2 end;

# The work of the floor that a work's every I/O contains. None: for sort, which
# is many things, for the slowest in a hundred or thousand, which are several, and for time
# in which nothing is done.
def floor_work:
  if test("[.](p99([.]9)?|idle)$") then null
  elif test("^(read-4k-1|write-4k-1|read-128k|write-128k)$") then .
  elif test("^(scaling[.])?fault") then "read-4k-1"
  elif test("^((read|mixed)-4k-32|scaling[.]read)") then "read-4k-32"
  elif test("^(write-4k-32|dirty|scaling[.]write)") then "write-4k-32"
  else null end;

# How far a record's figure may be from an earlier one by itself; null: as far as
# it likes. What is measured beside an evictor depends on what runs when, and so do
# contenders of which several threads or programs take part in an I/O: on 6.12 their
# batches come together differently from boot to boot.
def tolerance:
  if .work | test("[.](p99([.]9)?|idle)$|^server-cpu|^give-back") then null
  elif .contender | test("^(nvme-rdma|nbd|perftest)$") then 1.15
  elif .work | test("evicting|^fault-loaded|^sort") then 1.15
  else 1.03 end;

# Does it come out the same each time, but for that?
def counted: (.mode | startswith("icount")) or .unit == "bytes";

def timed: .unit == "instructions" or .unit == "ns";

def round_to($digits): . * $digits | round / $digits;

# As tables have it: digits after the point only where there are few before it.
def shown: if fabs >= 1000 then round else round_to(10) end;

# What is a small part of its base keeps its digits.
def ratio_shown: round_to(if fabs < 0.01 then 1000000 else 1000 end);

def key: "\(.kernel) \(.mode) \(.contender) \(.work)";

# Records, of which later ones replace earlier ones of the same key.
def latest: reduce .[] as $record ({}; .[$record | key] = $record) | [.[]];

# What the records of a kernel and mode say of themselves: one value, or several after runs
# of parts of it; records of before there was such a value have none.
def said_by($kernel; $mode; $value):
  [.records[] | select(.kernel == $kernel and .mode == $mode) | .[$value] // empty]
  | unique | join(", ");

# Of one of the real programs?
def program: test("^(kv|quicksort|graph|kvcache)[.]");

# What people ask first, in their words.
def question: {
  "fault-random-pc0.p50": "a major fault, median",
  "fault-random-pc0.mean": "a major fault, mean",
  "dirty-4k": "a page dirtied while another goes out",
  "read-4k-1": "4 KiB read, depth 1",
  "write-4k-1": "4 KiB write, depth 1",
  "read-4k-32-io_uring": "4 KiB read, depth 32",
  "write-4k-32-io_uring": "4 KiB write, depth 32" }[.];

def asked_first: map(select((.contender | IN("brd", "zram", "nvme-rdma", "farmem"))
  and (.work | question)) | .work |= question);

# Records with their ratio to the floor of the same kernel and mode.
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
