# A session is found by server and client, whatever its name: a second one would be
# refused at the server, and with --takeover would fence off the first.
quiet session create default --server 10.0.0.2
touch "$box/config/sessions/default/.fixed"
quiet volume create swap --size 4G --session default
# As modprobe has it: without the port.
echo 10.0.0.2 >"$box/config/sessions/default/server"
rm -f "$box/log"
ctl volume create second --size 1G --server 10.0.0.2
asked
ctl volume create third --size 1G --server 10.0.0.2 --takeover
ctl volume create third --size 1G --session default --takeover
ctl session create again --server 10.0.0.2 --takeover
ctl session create again --server 10.0.0.2:7471 --client node1
asked
left
# It is not the one's that asked for it.
ctl volume delete second
left
# Another client, and another server.
quiet session create other --server 10.0.0.2 --client node1b
quiet session create far --server 10.0.0.3
ctl volume create more --size 1G --server 10.0.0.2 --client node1b
ctl volume create most --size 1G --server 10.0.0.3
left
