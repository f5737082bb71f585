/* Compile time: finds the statements and decisions of a finished tree of ops. */

static int is_state(OP *o) { return o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE; }
static int is_nulled_state(OP *o) {
    return o->op_type == OP_NULL && (o->op_targ == OP_NEXTSTATE || o->op_targ == OP_DBSTATE);
}
static int is_decision(OP *o) {
    return o->op_type == OP_AND || o->op_type == OP_OR || o->op_type == OP_DOR ||
           o->op_type == OP_COND_EXPR;
}
static OP *first_child(OP *o) { return (o->op_flags & OPf_KIDS) ? cUNOPx(o)->op_first : NULL; }
static OP *skip_null(OP *o) {
    while (o &&
           (o->op_type == OP_NULL || o->op_type == OP_LINESEQ || o->op_type == OP_SCOPE ||
            o->op_type == OP_SCALAR) &&
           o->op_next)
        o = o->op_next;
    return o;
}
static int has_statements(OP *o) {
    OP *k;
    for (k = first_child(o); k; k = OpSIBLING(k))
        if (is_state(k) || is_nulled_state(k))
            return 1;
    return 0;
}
static OP *strip(OP *o) {
    OP *k;
    while (o->op_type == OP_NULL && (k = first_child(o)) && !OpHAS_SIBLING(k))
        o = k;
    return o;
}
typedef struct {
    int unit, depth, line, bare;
    Try *tr;
    Group *group;
    const char *file;
    char *function;
} Ctx; /* bare: in a scope inside an expression */

static void find_declared(OP *o, Site *s) /* every `my` the expression introduces */
{
    OP *k;
    if ((o->op_type == OP_PADSV || o->op_type == OP_PADAV || o->op_type == OP_PADHV) &&
        (o->op_private & OPpLVAL_INTRO) && !(o->op_private & OPpPAD_STATE)) {
        s->pads = (PADOFFSET *)realloc(s->pads, (s->npad + 1) * sizeof(PADOFFSET));
        s->pads[s->npad++] = o->op_targ;
    }
    for (k = first_child(o); k; k = OpSIBLING(k))
        find_declared(k, s);
}
static Site *new_site(int kind, OP *root, Ctx *c) {
    Site *s = (Site *)calloc(1, sizeof *s);
    sites = (Site **)realloc(sites, (site_count + 2) * sizeof *sites);
    sites[++site_count] = s;
    s->id = site_count;
    s->kind = kind;
    s->line = c->line;
    s->file = c->file;
    s->depth = c->depth;
    s->unit = c->unit;
    s->tr = c->tr;
    s->within = c->group;
    s->stmt = root;
    s->op_type = root->op_type;
    s->push = c->bare;
    return s;
}
static Group *new_group(int is_loop, Ctx *c) {
    static int count;
    Group *g = (Group *)calloc(1, sizeof *g);
    g->up = c->group;
    g->id = ++count;
    g->is_loop = is_loop;
    return g;
}
static void find_in_block(OP *o, Ctx c);
static void find_statement(OP *cop, OP *start, OP *S, Ctx c);
static void find_in_expression(OP *o, Ctx c) /* blocks inside an expression: one level deeper */
{
    OP *k;
    if (is_state(o) || is_nulled_state(o))
        return;
    if (has_statements(o)) {
        Ctx d = c;
        d.depth++;
        d.bare = o->op_type == OP_SCOPE || (o->op_type == OP_NULL && c.bare);
        if (o->op_type == OP_LEAVETRY) {
            Try *t = (Try *)calloc(1, sizeof *t);
            t->up = c.tr;
            t->depth = d.depth;
            d.tr = t;
        }
        if (o->op_type == OP_LEAVE || o->op_type == OP_LEAVETRY)
            hook(o, R_LEAVE, NULL)->depth = c.depth;
        else if (o->op_type == OP_SCOPE && o->op_next)
            hook(skip_null(o->op_next), R_LEAVE, NULL)->depth = c.depth;
        find_in_block(o, d);
        return;
    }
    if (o->op_type == OP_RETURN)
        hook(o, R_RET, NULL);
    for (k = first_child(o); k; k = OpSIBLING(k))
        find_in_expression(k, c);
}
static void find_in_branch(OP *X, OP *start, Ctx c) {
    X = strip(X);
    if (X->op_type == OP_STUB || (X->op_type == OP_NULL && !first_child(X)))
        return;
    if (has_statements(X) || X->op_type == OP_LEAVE || X->op_type == OP_LEAVETRY ||
        X->op_type == OP_LINESEQ || X->op_type == OP_SCOPE) {
        find_statement(NULL, NULL, X, c);
        return;
    }
    find_statement(NULL, skip_null(start), X, c);
}
static void watch_decision(OP *L, Ctx c) { hook(L, R_LOGOP, NULL)->depth = c.depth; }
static void find_rounds(OP *seq, OP *first, OP *next, OP *L,
                        Ctx c) /* lineseq(body.., step, unstack) of a loop */
{
    OP *k;
    int n = 0;
    if (has_statements(seq)) { /* body without a scope of its own */
        find_in_block(seq, c);
        for (k = first_child(seq); k; k = OpSIBLING(k))
            if (k->op_type == OP_UNSTACK && !(k->op_flags & OPf_SPECIAL))
                goto un; /* SPECIAL: of an inner for (;;) */
        return;
    }
    for (k = first_child(seq); k; k = OpSIBLING(k)) {
        if (k->op_type == OP_UNSTACK) {
            Site *s;
        un:
            if (L && strip(first_child(L))->op_type == OP_ITER)
                return;
            s = new_site(ROUND, L ? first_child(L) : k, &c);
            s->group = c.group;
            s->within = c.group->up;
            s->logop = L;
            s->fixed = !L;
            if (L)
                find_declared(s->own = first_child(L), s);
            hook(k, R_UNSTACK, s);
            return;
        }
        if (k->op_type == OP_LINESEQ && !has_statements(k)) {
            find_rounds(k, first, next, L, c);
            n++;
            continue;
        }
        find_in_branch(k, n++ ? next : first, c);
    }
}
static void find_loop_body(OP *o, OP *E, OP **Lp,
                           Ctx c) /* o: null(and(C, lineseq)) or lineseq, after E; c: of the loop */
{
    OP *x = strip(o), *L = NULL, *seq = x, *next = NULL;
    if (E->op_type == OP_ENTERLOOP || E->op_type == OP_ENTERITER)
        next = ((struct loop *)E)->op_nextop;
    if (is_decision(x)) {
        L = x;
        seq = OpSIBLING(first_child(x));
    }
    *Lp = L;
    if (L) {
        OP *C = first_child(L);
        if (strip(C)->op_type == OP_ITER) {
            Site *s = new_site(ITER, strip(C), &c);
            s->group = c.group;
            s->within = c.group->up;
            s->logop = L;
            s->header = E;
            s->own = C;
            hook(strip(C), R_ITER, s);
        } else {
            watch_decision(L, c);
            find_in_expression(C, c);
        }
        if (seq) {
            if (seq->op_type == OP_NULL && first_child(seq) && !has_statements(seq))
                seq = strip(seq);
            if (seq->op_type == OP_LINESEQ)
                find_rounds(seq, cLOGOPx(L)->op_other, next, L, c);
            else
                find_in_branch(seq, cLOGOPx(L)->op_other, c);
        }
    } else if (seq->op_type == OP_LINESEQ)
        find_rounds(seq, E->op_next, next, NULL, c);
    else
        find_in_branch(seq, E->op_next, c);
}
static OP *loop_variable(OP *E) /* the gv op that gives foreach its package variable */
{
    OP *k, *last = NULL;
    for (k = first_child(E); k; k = OpSIBLING(k))
        last = k;
    last = last ? strip(last) : NULL;
    if (last && last->op_type == OP_RV2GV)
        last = strip(first_child(last));
    return last && last->op_type == OP_GV ? last : NULL;
}
/* One statement.  cop: its dbstate, or NULL when it has none (body of a modifier, step of a for,
   elsif condition): then the event hangs on the first op executed, `start`. */
static void find_statement(OP *cop, OP *start, OP *S, Ctx c) {
    OP *X = strip(S), *k;
    Site *s = NULL;
    Ctx inner;
    int kind = SIMPLE, fixed = 0, jump = 0;
    OP *L = NULL, *enter = NULL, *padroot = S, *header = NULL;
    switch (X->op_type) {
    case OP_AND:
    case OP_OR:
    case OP_DOR:
    case OP_COND_EXPR:
        kind = COND;
        L = X;
        padroot = first_child(X);
        break;
    case OP_LEAVELOOP: {
        OP *E = first_child(X), *b = OpSIBLING(E), *bx = b ? strip(b) : NULL;
        enter = E;
        if (E->op_type == OP_ENTERITER) {
            kind = FOREACH;
            header = padroot = E;
            fixed = !(E->op_targ || loop_variable(E));
        } else if (bx && is_decision(bx)) {
            kind = WHILE;
            L = bx;
            padroot = first_child(bx);
        } else
            kind = PLAIN;
        break;
    }
    case OP_LEAVE:
    case OP_SCOPE:
    case OP_LINESEQ:
        kind = PLAIN;
        if (X->op_type != OP_LINESEQ && (X->op_flags & OPf_SPECIAL) &&
            (k = first_child(X))) { /* S while C; do {} while C */
            OP *b = k->op_type == OP_ENTER ? OpSIBLING(k) : k, *bx = b ? strip(b) : NULL;
            if (bx && is_decision(bx)) {
                OP *first = k->op_type == OP_ENTER ? k->op_next : cop ? cop->op_next : start;
                if (!first)
                    fixed = 1;
                if (skip_null(first) != skip_null(cLOGOPx(bx)->op_other)) {
                    kind = WHILE;
                    L = bx;
                    padroot = first_child(bx);
                    enter = k->op_type == OP_ENTER ? k : NULL;
                }
            }
        }
        break;
    case OP_LEAVETRY:
    case OP_INTROCV:
    case OP_CLONECV:
    case OP_STUB:
        kind = PLAIN;
        break;
    case OP_RETURN:
    case OP_NEXT:
    case OP_LAST:
    case OP_REDO:
    case OP_DIE:
    case OP_EXIT:
        jump = X->op_type;
        fixed =
            (X->op_flags & OPf_STACKED) && jump != OP_DIE && jump != OP_EXIT && jump != OP_RETURN;
        break;
    case OP_GOTO: /* of &sub, or it is refused as it comes: see run_goto() */
        jump = X->op_flags & OPf_STACKED ? OP_GOTO : 0;
        fixed = !jump;
        break;
    case OP_DUMP:
        fixed = 1;
        break;
    case OP_UNSTACK:
    case OP_ENTER:
        return;
    default:
        if (X->op_type == OP_NULL && !first_child(X))
            kind = PLAIN;
    }
    if (kind == COND && (k = first_child(X)) &&
        (k->op_type == OP_LINESEQ || k->op_type == OP_NULL) && (k = first_child(k)) &&
        is_nulled_state(k))
        c.line = CopLINE((COP *)k); /* elsif */
    if (cop || (start && kind != PLAIN)) {
        s = new_site(kind, X, &c);
        s->fixed = fixed;
        s->jump = jump;
        s->after = S;
        s->logop = L;
        s->enter = enter;
        s->header = header;
        if (kind != PLAIN)
            find_declared(padroot, s);
        s->state = cop;
        s->own = padroot;
        hook(cop ? cop : start, cop ? R_STMT : R_XEV, s);
    }
    inner = c;
    switch (X->op_type) {
    case OP_AND:
    case OP_OR:
    case OP_DOR:
    case OP_COND_EXPR: {
        OP *C = first_child(X), *T = OpSIBLING(C), *F = T ? OpSIBLING(T) : NULL;
        watch_decision(X, c);
        if (C->op_type == OP_LINESEQ || C->op_type == OP_NULL) {
            OP *q = first_child(C);
            if (q && is_nulled_state(q))
                C = OpSIBLING(q) ? OpSIBLING(q) : C;
        }
        find_in_expression(C, c);
        inner.group = new_group(0, &c);
        if (s)
            s->group = inner.group;
        if (T)
            find_in_branch(T, cLOGOPx(X)->op_other, inner);
        if (F)
            find_in_branch(F, X->op_next, inner);
        break;
    }
    case OP_LEAVELOOP: {
        OP *E = first_child(X), *b = OpSIBLING(E), *l;
        for (k = first_child(E); k && E->op_type == OP_ENTERITER; k = OpSIBLING(k))
            find_in_expression(k, c);
        inner.group = new_group(1, &c);
        if (s)
            s->group = inner.group;
        if (b)
            find_loop_body(b, E, &l, inner);
        break;
    }
    case OP_LEAVE:
    case OP_SCOPE:
    case OP_LINESEQ:
        k = first_child(X);
        if ((X->op_flags & OPf_SPECIAL) && k && !has_statements(X)) {
            OP *b = k->op_type == OP_ENTER ? OpSIBLING(k) : k, *l;
            inner.group = new_group(1, &c);
            if (s)
                s->group = inner.group;
            if (b)
                find_loop_body(b, k, &l, inner);
        } else
            find_in_block(X, c);
        break;
    case OP_LEAVETRY: {
        Ctx d = c;
        Try *t = (Try *)calloc(1, sizeof *t);
        t->up = c.tr;
        t->depth = c.depth;
        d.tr = t;
        find_in_block(X, d);
        break;
    }
    case OP_RETURN:
        hook(X, R_RET, NULL); /* FALLTHROUGH */
    default:
        for (k = first_child(X); k; k = OpSIBLING(k))
            find_in_expression(k, c);
    }
}
static void find_in_block(OP *o, Ctx c) {
    OP *k, *n;
    for (k = first_child(o); k; k = n) {
        n = OpSIBLING(k);
        if (is_state(k)) {
            c.line = CopLINE((COP *)k);
            if (!n || is_state(n))
                continue;
            if (n->op_type == OP_UNSTACK || n->op_type == OP_ENTER)
                continue;
            find_statement(k, NULL, n, c);
            n = OpSIBLING(n);
            if (n && n->op_type == OP_UNSTACK && (n->op_flags & OPf_SPECIAL) && OpSIBLING(n) &&
                strip(OpSIBLING(n))->op_type == OP_LEAVELOOP) {
                OP *lo = strip(OpSIBLING(n)), *E = first_child(lo), *b = OpSIBLING(E),
                   *l = NULL; /* for (init; C; step) */
                Site *s = new_site(ROUND, lo, &c);
                Ctx inner = c;
                s->group = inner.group = new_group(1, &c);
                if (b)
                    find_loop_body(b, E, &l, inner);
                s->logop = l;
                s->enter = E;
                s->fixed = !l;
                if (l)
                    find_declared(s->own = first_child(l), s);
                hook(n, R_UNSTACK, s);
                n = OpSIBLING(OpSIBLING(n));
            }
        } else if (is_nulled_state(k)) { /* the one statement of a scope: its state op is nulled */
            c.line = CopLINE((COP *)k);
            if (!n || is_state(n) || is_nulled_state(n) || n->op_type == OP_UNSTACK)
                continue;
            find_statement(NULL, skip_null(k->op_next), n, c);
            n = OpSIBLING(n);
        } else if (k->op_type == OP_ENTER || k->op_type == OP_UNSTACK || k->op_type == OP_ENTERTRY)
            continue;
        else
            find_statement(NULL, NULL, k, c); /* a statement without a state op: structure only */
    }
}
static void
undo_threading(OP *o) /* rpeep lets `A and B` jump past the op that decides on it: lead it back */
{
    OP *k = first_child(o);
    if (o->op_type == OP_NULL && k && !OpHAS_SIBLING(k) &&
        (k->op_type == OP_AND || k->op_type == OP_OR || k->op_type == OP_DOR) && o->op_next)
        k->op_next = skip_null(o->op_next);
    for (; k; k = OpSIBLING(k))
        undo_threading(k);
}
/* During rpeep every state op poses as a dbstate: those it neither merges (`my $x; my $y` into one
   padrange) nor skips (`return` at the end).  Only then: perl -d's bits (PERLDBf_LINE, _NOOPT)
   would change folding, scopes and the lines caller() tells. */
static void disguise(OP *o, int from, int to) {
    OP *k;
    if (o->op_type == from)
        o->op_type = to;
    for (k = first_child(o); k; k = OpSIBLING(k))
        disguise(k, from, to);
}
static OP *find_state(OP *o) {
    OP *k, *r;
    if (is_state(o))
        return o;
    for (k = first_child(o); k; k = OpSIBLING(k))
        if ((r = find_state(k)))
            return r;
    return NULL;
}
