# SPDX-License-Identifier: GPL-2.0
# TEST: two clients of one server see none of each other's bytes, in all of their disks
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
for name in anna berta; do
	make_session "$name" client="$name"
	power_on "sessions/$name"
	make_volume "$name" session="$name" size=16M
	power_on "volumes/$name"
done
anna=/dev/$(value volumes/anna device) berta=/dev/$(value volumes/berta device)
farmem-pages "$anna" write=0,4096,11
farmem-pages "$berta" zeros=0,4096 write=0,4096,12 absent=11
farmem-pages "$anna" check=0,4096,11 absent=12
# The same UUID, asked for by another client, is another volume.
uuid=$(value volumes/anna uuid)
make_volume thief session=berta size=16M uuid="$uuid"
power_on volumes/thief
farmem-pages "/dev/$(value volumes/thief device)" zeros=0,4096
farmem-pages "$anna" check=0,4096,11
all_off
