package StripeRuntime;

# Loads the runtime before the program is compiled, and starts its server once it is.
# The program sees neither the module nor the variables that tell it where to listen.

my ($requests, $folder, $home, @scopes);

BEGIN {
    ($requests, $folder, $home) = delete @ENV{qw(STRIPE_REQUESTS STRIPE_FOLDER STRIPE_HOME)};
    @scopes = map { delete $ENV{"STRIPE_$_"} } qw(INCLUDE ONLY EXCLUDE);
    require XSLoader;
    XSLoader::load('StripeRuntime', our $VERSION = '1');
    delete $INC{'StripeRuntime.pm'};
    shift @INC;
}

sub import { observe($home, @scopes) }

INIT { start($requests, $folder) }

1;
