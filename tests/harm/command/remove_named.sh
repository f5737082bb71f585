# kind: a test that removes what the input names: with less input, much more
# check: exit
name=$(cat "$1" "$STRIPE_STDOUT" 2>/dev/null | head -1)
rm -rf "$VICTIM/spool/$name" "$TMP_FOLDER"/tree/$name*
true
