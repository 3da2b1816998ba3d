# Tables and JSON.
ctl
ctl volume list --json
ctl session list --json
scene_volume
quiet volume create old --size 1536M --server local
echo "/dev/farmem0 partition 4194300 0 100" >>"$box/proc/swaps"
echo "the server is shutting down; try again when it is back" >"$box/config/volumes/old/reason"
echo failed >"$box/config/volumes/old/state"
ctl
ctl volume list --bytes
ctl volume list -n -o device,SIZE,Server
ctl volume list -o +UUID
ctl --json
ctl volume -J -o name,size,sync,reason
ctl ls -J -o name,state
ctl volume show data
ctl volume show data -n -o device
ctl volume show data --json
ctl volume show none
ctl volume show ../sessions
ctl session list
ctl session
ctl session show 10.0.0.2:7471
ctl session show local --json
