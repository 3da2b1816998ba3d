# On a session that was made by hand, and one that is off is switched on.
ctl volume create data --size 4G --session far
ctl session create far --server '[fd00::2]'
asked
ctl volume create data --size 4G --session far
asked
ctl session delete far
ctl volume delete data
asked
left
# One that failed for good is set and switched on again.
echo failed >"$box/config/sessions/far/state"
rm -f "$box/log"
ctl session create again --server '[fd00::2]'
ctl volume create data --size 4G --session far
asked
quiet volume delete data
quiet session create off --server 10.0.0.9
echo 0 >"$box/config/sessions/off/power"
rm -f "$box/log"
FAKE_FAIL="volumes/data/power=28:the pool has too little free memory" \
	ctl volume create data --size 4G --session off
asked
left
