# kind: git clean in the wrong repository
# check: stdout
my $where = $ENV{REPO};
mkdir 'own'; system 'git', 'init', '-q', 'own';
$where = 'own';
system 'git', '-C', $where, 'clean', '-fdxq';
print "clean";
