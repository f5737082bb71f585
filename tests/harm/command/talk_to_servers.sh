# kind: a test that talks to the user's servers
# check: exit
bash -c 'echo lost > /dev/tcp/127.0.0.1/$PORT; echo lost > /dev/udp/127.0.0.1/$UDP_PORT' 2>/dev/null
true
