# kind: code from a string
# check: stdout
my $code = 'unlink "$ENV{VICTIM}/precious.txt"';
$code = '1';
eval $code;
print "evaluated";
