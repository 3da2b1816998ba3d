# Objects made by module parameters are switched off, and said to stay.
quiet session create default --server 10.0.0.2
quiet volume create default --size 4G --session default
touch "$box/config/sessions/default/.fixed" "$box/config/volumes/default/.fixed"
rm -f "$box/log"
ctl session delete default
ctl volume delete default
ctl session delete default
asked
