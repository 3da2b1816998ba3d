# SPDX-License-Identifier: GPL-2.0
"""pages.py MIB TOUCHES - fills MIB MiB, touches pages at random, then all in order.

Every page is checked as it is touched.
"""
import random
import sys

PAGE = 4096

pages = int(sys.argv[1]) * (1 << 20) // PAGE
chance = random.Random(1)
noise = chance.randbytes(PAGE // 2)
memory = bytearray(pages * PAGE)


def touch(page):
    """Die of a page that is not the one that was written there."""
    at = page * PAGE
    if int.from_bytes(memory[at : at + 8], "little") != page + 1:
        sys.exit(f"pages.py: page {page} holds something else")


for page in range(pages):
    at = page * PAGE
    memory[at : at + PAGE // 2] = noise
    memory[at : at + 8] = (page + 1).to_bytes(8, "little")
for _ in range(int(sys.argv[2])):
    touch(chance.randrange(pages))
for page in range(pages):
    touch(page)
