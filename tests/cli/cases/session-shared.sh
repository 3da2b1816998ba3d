# A failure must not take away a session that was there before.
scene_volume
export FAKE_FAIL="volumes/more/power=28:too little memory"
ctl volume create more --size 4G --server 10.0.0.2
asked
left
