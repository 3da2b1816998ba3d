# A reason that has the adapter's or the connection manager's words: what to check.
why="10.0.0.2:7471: queue 3: transport retry counter exceeded (status 12, vendor 0x81)"
FAKE_FAIL="sessions/g/power=110:$why" ctl session create g --server 10.0.0.2
FAKE_FAIL="sessions/g/power=111:10.0.0.2:7471: connection rejected: (28); is that a farmemd?" \
	ctl session create g --server 10.0.0.2
scene_volume
echo recovering >"$box/config/sessions/10.0.0.2:7471/state"
echo "$why" >"$box/config/sessions/10.0.0.2:7471/reason"
ctl session show 10.0.0.2:7471 -o name,state,reason
ctl session show 10.0.0.2:7471 -o name,state,reason --noheadings
ctl session show 10.0.0.2:7471 -o name,state,reason --json
ctl session list -o name,state,reason
# It came back: nothing is to be done.
echo live >"$box/config/sessions/10.0.0.2:7471/state"
ctl session show 10.0.0.2:7471 -o name,state,reason
# A volume has reasons too, and not all are codes, nor all codes trouble.
echo lost >"$box/config/volumes/data/state"
echo "queue 0: async event QP access error" >"$box/config/volumes/data/reason"
ctl volume show data -o name,state,reason
echo "the server took it away" >"$box/config/volumes/data/reason"
ctl volume show data -o name,state,reason
echo "communication established" >"$box/config/volumes/data/reason"
ctl volume show data -o name,state,reason
