# Everything that was made is taken back, and the kernel's reason is printed.
export FAKE_FAIL="sessions/10.0.0.2:7471/power=111:nobody listens at 10.0.0.2:7471; start farmemd there"
ctl volume create data --size 4G --server 10.0.0.2
asked
left
export FAKE_FAIL="volumes/data/power=28:the server's pool has too little free memory; lower size="
ctl volume create data --size 4G --server 10.0.0.2
asked
left
export FAKE_FAIL="volumes/data/uuid=22"
ctl volume create data --size 4G --server 10.0.0.2 --uuid nonsense
asked
left
export FAKE_FAIL="volumes/data/size=1"
ctl volume create data --size 4G --server 10.0.0.2
asked
left
unset FAKE_FAIL
FAKE_SIGNAL=sessions/10.0.0.2:7471/power ctl volume create data --size 4G --server 10.0.0.2
asked
FAKE_SIGNAL=volumes/data/power ctl volume create data --size 4G --server 10.0.0.2
asked
left
mkdir "$box/config/sessions/mine"
ctl session create mine --server 10.0.0.2
asked
