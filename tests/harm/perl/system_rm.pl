# kind: rm -rf $D/tmp/*, with D unset
# check: stdout
mkdir 'build'; mkdir 'build/tmp'; mkdir 'build/tmp/a';
$ENV{D} = 'build';
system 'rm -rf $D/tmp/*';
print join ',', glob 'build/tmp/*';
