/* The model of a run: sites are places of events, nodes events and calls, frames activations. */

/* PLAIN: structure only, such as a block.  ROUND: a later test of a loop's condition.  ITER: a step
   of foreach. */
enum { PLAIN, SIMPLE, COND, WHILE, FOREACH, ROUND, ITER };
static const char *kind_names[] = {"plain", "statement", "if", "loop", "foreach", "round", "step"};

typedef struct Try { /* an eval block around a site */
    struct Try *up;
    int depth;
} Try;

typedef struct { /* see variables.h */
    char *name;
    int how;
    PADOFFSET pad; /* where a variable is: there, or */
    GV *gv;        /* in the slot of this glob that the sigil names */
} Location;

/* A decision with all that it decides on, or a loop: static control dependence. */
typedef struct Group {
    struct Group *up;
    int id, is_loop;
} Group;

typedef struct Site {
    int id, kind, line, depth, unit;
    int op_type;       /* for people; ops of BEGIN blocks are freed once these have run */
    int jump;          /* the op's type, if the statement leaves by itself */
    int npad;          /* how many variables it declares, in pads */
    int fixed;         /* cannot be left out: refused where it runs, unless it is structure */
    int push;          /* who contains it waits for a value */
    struct Site *also; /* a second event that begins with the same op */
    OP *stmt, *after, *logop, *enter, *state, *own,
        *header; /* what begins the loop of a foreach or a step of it */
    const char *file;
    char *function;
    Try *tr;
    PADOFFSET *pads;
    int location_count;
    Location *locations;
    Group *group, *within; /* which one it decides on, if any; the innermost one it is in */
    int probe_count, *probes; /* whose values are looked at after it: see watching.h */
} Site;

/* What an op of the user's code does beside its own work. */
enum { R_STMT, R_XEV, R_UNSTACK, R_ITER, R_LOGOP, R_RET, R_LEAVE };
typedef struct {
    OP *op;
    int role, depth;
    Perl_ppaddr_t orig;
    Site *site;
} Hook;

typedef struct {
    int site;   /* negative: the activation of a unit */
    int parent; /* the node around it, 0 at the top */
    int out;    /* of a decision: 1 taken, 0 not, -1 left while deciding; of a call: 1 returned */
} Node;

enum {
    STOP_NONE,
    STOP_END,
    STOP_DIVERGED,
    STOP_BUDGET,
    STOP_STEPPED,
    STOP_EARLY,
    STOP_FAULT,
    STOP_CUT
};
typedef struct { /* shared with the server, so that it outlives the run */
    int stop, stops, kept, left, off, skipped, desync, excs, rets, forced, n;
    int refused_line;
    char refused[64]; /* what cannot be followed; empty if all can */
    int died, died_node, died_line; /* an exception ended it: its event, or 0 */
    long message_from, message_to;  /* where the message stands in stderr; from -1: not known */
    char died_file[512];
    long log_size; /* of the log of values */
} Head;

typedef struct {
    int node, cur, end, on;
    Site *site, *pending; /* pending: it is not finished, and is looked at after it */
    int pending_node;     /* whose values are wanted then, or 0 */
} Level;

#define DEEPEST_BLOCK 12 /* blocks inside expressions inside blocks, and so on */
typedef struct {
    PERL_SI *si;
    I32 cxix;
    int base, top;
    Level self, open[DEEPEST_BLOCK];
} Frame;

#define MOST_NODES (1 << 24)
#define NODES_AT_ONCE (1 << 16)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; a kernel before refuses, and gives page by page */
#endif
#define CUT_NODES 300000 /* of a run that goes on for ever */
#define KEPT ((OP *)1)

static Site **sites; /* from 1 */
static int site_count, unit_count;
static Hook *hooks;
static UV hook_capacity, hook_count;
static Head *head;
static Node *node; /* from 1 */
static int *node_end;
static int node_count, most_nodes;
static unsigned char *is_kept; /* by node */
static Frame *frames;
static int frame_count, frame_capacity; /* the activations, in step with perl's scopes */
enum { M_OFF, M_RECORD, M_REPLAY, M_STEP };
static int mode, strict_program, clear_err;
enum { LOOK_NOT, LOOK_COMPARE, LOOK_SHOW, LOOK_PROBE };
static int looking; /* at what kept events see, or show: see values.h, watching.h */
static char *looks; /* the log of that */
static int cut_node; /* the header of a loop that goes on, of a run that was cut off there, or 0 */
static int forked_line; /* in a child of the run: where it was forked */
static pid_t compiled_by; /* what $$ is in each run */
static pid_t compiled_below; /* its parent, which is what getppid tells then */
static int ends_itself; /* by exit, or because a replay is over */
static char *home; /* the folder of the user's code, with a slash */

/* The run does what a replay cannot follow: said by the server, and no claim is made. */
static void refuse(int line, const char *what) {
    if (*head->refused)
        return;
    head->refused_line = line;
    strncpy(head->refused, what, sizeof head->refused - 1);
}

/* What is ours cannot go on, which is no end of the program's. */
static void give_up(const char *what) {
    refuse(0, what);
    head->stop = STOP_FAULT;
    _exit(96);
}

/* Whether a statement is part of the run.  A child of it that goes on in the user's code would run all
   of that, whatever is left out. */
static int live(pTHX) {
    if (PL_phase != PERL_PHASE_RUN)
        return 0;
    if (forked_line)
        refuse(forked_line, "fork");
    return mode != M_OFF;
}
