# kind: a test that changes the directory that the user is in
# check: exit
cd "${STRIPE_CWD:-$PWD}" && rm -f in.txt && echo lost > left-behind
cd "$WORK" && echo lost > left-behind
true
