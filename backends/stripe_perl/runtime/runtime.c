/* The runtime that is loaded into perl: events of perl code at the level of ops.

   One interpreter, one thread.  Each unit (program, sub, file) is found as it is compiled; ops
   where statements and decisions begin get another function.  A statement is left out by going on
   with what follows its tree of ops. */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "model.h"
#include "hooks.h"
#include "statements.h"
#include "variables.h"
#include "units.h"
#include "values.h"
#include "texts.h"
#include "watching.h"
#include "events.h"
#include "server.h"

/* INIT: everything is compiled, nothing has run. */
XS_EXTERNAL(start);
XS_EXTERNAL(start) {
    dXSARGS;
    if (items != 2)
        croak_xs_usage(cv, "requests, folder");
    head = (Head *)mmap(NULL, sizeof(Head) + sizeof(Node) * (size_t)MOST_NODES,
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (head == MAP_FAILED)
        croak("no memory for events");
    node = (Node *)(head + 1);
    serve(aTHX_ SvIV(ST(0)), savepv(SvPV_nolen(ST(1))));
    XSRETURN_EMPTY;
}
/* A thread is about to run: perl calls this in each package that has it. */
XS_EXTERNAL(mark_thread);
XS_EXTERNAL(mark_thread) {
    dXSARGS;
    PERL_UNUSED_VAR(items);
    if (head)
        refuse(CopLINE(PL_curcop), "threads");
    mode = M_OFF;
    XSRETURN_EMPTY;
}
XS_EXTERNAL(observe);
XS_EXTERNAL(observe) {
    dXSARGS;
    int i;
    if (items != 1 + SCOPES)
        croak_xs_usage(cv, "home, include, only, exclude");
    home = savepv(SvPV_nolen(ST(0)));
    for (i = 0; i < SCOPES; i++)
        if (*SvPV_nolen(ST(1 + i)))
            has_scope[i] =
                !regcomp(&scopes[i], SvPV_nolen(ST(1 + i)), REG_EXTENDED | REG_NOSUB);
    own_goto = PL_ppaddr[OP_GOTO];
    PL_ppaddr[OP_GOTO] = run_goto;
    own_die = PL_ppaddr[OP_DIE];
    PL_ppaddr[OP_DIE] = run_die;
    own_kill = PL_ppaddr[OP_KILL];
    PL_ppaddr[OP_KILL] = run_kill;
    own_getppid = PL_ppaddr[OP_GETPPID];
    PL_ppaddr[OP_GETPPID] = run_getppid;
    own_exit = PL_ppaddr[OP_EXIT];
    PL_ppaddr[OP_EXIT] = run_exit;
    old_peep = PL_peepp;
    PL_peepp = instrument_unit;
    XSRETURN_EMPTY;
}
XS_EXTERNAL(boot_StripeRuntime);
XS_EXTERNAL(boot_StripeRuntime) {
    dXSBOOTARGSXSAPIVERCHK;
    PERL_UNUSED_VAR(items);
    newXS("StripeRuntime::observe", observe, __FILE__);
    newXS("StripeRuntime::start", start, __FILE__);
    newXS("StripeRuntime::CLONE", mark_thread, __FILE__);
    Perl_xs_boot_epilog(aTHX_ ax);
}
