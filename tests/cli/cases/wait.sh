# A volume's state is waited for: by its name or its device, before it or the module is there.
scene_volume
volume=$box/config/volumes/data
state() { echo "$1" >"$volume/state"; }
reason() { echo "$1" >"$volume/reason"; }

ctl wait data
ctl wait /dev/farmem0 --timeout 0
ctl wait farmem0 --state live --json
ctl wait data --state off --timeout 0
state recovering
reason "10.0.0.2:7471: queue 3: transport retry counter exceeded (status 12, vendor 0x81)"
ctl wait data --timeout 0
ctl wait data --timeout 0 --json
ctl wait data --state recovering
state failed
reason "the server does not answer"
ctl wait data --timeout 0.2
state lost
reason "the server no longer has this volume's data"
ctl wait data --timeout 0
state off
reason ""
ctl wait data --timeout 0
ctl wait none --timeout 0
ctl wait /dev/farmem7 --timeout 0.1

# While the module switches a volume, a process that reads of it waits.
rm "$volume/state" "$volume/reason"
mkfifo "$volume/state" "$volume/reason"
ctl wait data --timeout 0
ctl wait data --timeout 0.3
rm "$volume/state" "$volume/reason"
state off
reason ""
quiet volume create other --size 1G --server 10.0.0.2
rm "$volume/device"
mkfifo "$volume/device"
ctl wait /dev/farmem1 --timeout 5
ctl volume show /dev/farmem1 -n -o name
rm "$volume/device"
echo farmem0 >"$volume/device"

# later COMMAND... - while a command waits
later() { (sleep 0.3; "$@") & }
event() { echo "0 change@/devices/virtual/block/farmem0 ACTION=change $*" >&8; }
changed() { event SUBSYSTEM=usb STATE=x; event FARMEM_SESSION=s FARMEM_STATE=live; sleep 0.2; state live; event FARMEM_VOLUME=data FARMEM_STATE=live; }
# A uevent ends the wait, and nothing else: there is no time limit between two of them.
mkfifo "$box/events"
exec 8<>"$box/events"
later changed
FAKE_PATIENT=$box/events.patient FAKE_EVENTS=$box/events ctl wait data
exec 8>&-

# Nor do changes without a uevent stay unseen, with the socket or without it.
state off
later state live
ctl wait data
mv "$volume" "$box/config/aside"
later mv "$box/config/aside" "$volume"
FAKE_EVENTS=$box/none ctl wait data
mv "$box/config" "$box/unloaded"
mv "$box/sys/module/farmem" "$box/module"
ctl wait data --timeout 0.1
later mv "$box/unloaded" "$box/config"
ctl wait data --timeout 15

# It ends when it is told to.
: >"$box/events.none"
FAKE_EVENTS=$box/events.none ctl wait data --state lost
# It sleeps meanwhile: where no sleep ends by itself, not even the time-out is noticed.
exec 8<>"$box/events"
FAKE_PATIENT=1 FAKE_EVENTS=$box/events ctl wait data --state lost --timeout 0.2 &
until [ -e "$box/events.patient" ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
kill -0 $! || echo "DID NOT SLEEP"
while kill -0 $! 2>/dev/null; do
	event FARMEM_VOLUME=data FARMEM_STATE=live
	sleep 0.1
done
wait $!
exec 8>&-

ctl wait
ctl wait data --state up
ctl wait data --timeout soon
ctl wait data --timeout -1
ctl wait data --timeout nan
ctl wait a/b
ctl wait ""
