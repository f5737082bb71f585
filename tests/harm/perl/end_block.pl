# kind: an END block removes
# check: stdout
our $file = "$ENV{VICTIM}/precious.txt";
$file = 'none';
print "before";
END { unlink $file }
