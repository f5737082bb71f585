/* Run time: records events, and replays them with some left out. */

static void stop_run(pTHX_ int why) {
    ends_itself = 1;
    head->stop = why;
    mode = M_OFF;
    my_exit(why == STOP_END ? 0 : 97);
}
/* Exceptions are seen by the scopes that they unwind, the innermost first. */
static int is_unwound(pTHX) {
    if (ends_itself || !PL_op || PL_phase != PERL_PHASE_RUN)
        return 0;
    switch (PL_op->op_type) {
    case OP_LEAVE: case OP_LEAVESUB: case OP_LEAVESUBLV: case OP_LEAVEEVAL: case OP_LEAVEWRITE:
    case OP_LEAVETRY: case OP_LEAVELOOP: case OP_RETURN: case OP_NEXT: case OP_LAST: case OP_GOTO:
        return 0;
    }
    return 1;
}
static struct { int known, node; COP *cop; Site *site; } unwound;
static void note_unwinding(pTHX_ int n) {
    Frame *f = &frames[n];
    Level *l = f->top >= 0 ? &f->open[f->top] : &f->self;
    if (mode == M_OFF || unwound.known || !is_unwound(aTHX))
        return;
    unwound.known = 1;
    unwound.cop = PL_curcop;
    unwound.node = l->node;
    unwound.site = l->site;
}
/* The outermost scope of the program is left: by an exception that nobody has caught? */
static void end_program(pTHX_ void *p) {
    PERL_UNUSED_ARG(p);
    note_unwinding(aTHX_ 0);
    if (!unwound.known || !is_unwound(aTHX))
        return;
    head->died = 1;
    head->died_node = unwound.node;
    head->message_to = lseek(2, 0, SEEK_CUR);
    if (is_users(aTHX_ CopFILE(unwound.cop)) || !unwound.site) {
        head->died_line = CopLINE(unwound.cop);
        strncpy(head->died_file, CopFILE(unwound.cop), sizeof head->died_file - 1);
    } else {
        head->died_line = unwound.site->line;
        strncpy(head->died_file, unwound.site->file, sizeof head->died_file - 1);
    }
}
static Perl_ppaddr_t own_die, own_exit, own_getppid, own_kill;
static OP *run_kill(pTHX) {
    SV **each;
    for (each = PL_stack_base + TOPMARK + 1; each <= PL_stack_sp; each++)
        if (SvIOK(*each) && labs((long)SvIV(*each)) == (long)compiled_by && compiled_by)
            *each = sv_2mortal(newSViv(SvIV(*each) < 0 ? -(IV)getpid() : (IV)getpid()));
    return own_kill(aTHX);
}
/* The parent of a run is what $$ says of the run itself: it would signal itself for its parent. */
static OP *run_getppid(pTHX) {
    OP *next = own_getppid(aTHX);
    if (compiled_by && SvIV(*PL_stack_sp) == (IV)compiled_by)
        *PL_stack_sp = sv_2mortal(newSViv((IV)compiled_below));
    return next;
}
static OP *run_die(pTHX) {
    if (head)
        head->message_from = lseek(2, 0, SEEK_CUR);
    return own_die(aTHX);
}
static OP *run_exit(pTHX) {
    ends_itself = 1;
    return own_exit(aTHX);
}
static void end_frame(pTHX_ void *p) {
    int n = (int)PTR2IV(p);
    note_unwinding(aTHX_ n);
    if (frame_count > n)
        frame_count = n;
}
/* Nodes to come are given memory in one call, which is faster than page by page. */
static void make_room(void) {
    UV from = PTR2UV(&node[head->n + 1]) & ~(UV)4095;
    madvise(INT2PTR(void *, from), NODES_AT_ONCE * sizeof *node, MADV_POPULATE_WRITE);
}
static int new_node(int site, int parent) {
    Node *n;
    if (head->n % NODES_AT_ONCE == NODES_AT_ONCE - 1)
        make_room();
    if (head->n >= most_nodes) {
        if (most_nodes == CUT_NODES) {
            head->stop = STOP_CUT;
            _exit(0);
        }
        refuse(0, "more than 16 million events");
        mode = M_OFF;
        return 0;
    }
    n = &node[++head->n];
    n->site = site;
    n->parent = parent;
    n->out = -1;
    return head->n;
}
static Frame *frame_for(pTHX_ Site *s) {
    I32 ix = cxstack_ix;
    Frame *f, *pf;
    for (; ix >= 0; ix--) {
        const PERL_CONTEXT *cx = &cxstack[ix];
        int t = CxTYPE(cx);
        if (t == CXt_SUB || t == CXt_FORMAT || t == CXt_NULL || (t == CXt_EVAL && !CxTRYBLOCK(cx)))
            break;
    }
    if (frame_count && frames[frame_count - 1].si == PL_curstackinfo &&
        frames[frame_count - 1].cxix == ix)
        return &frames[frame_count - 1];
    if (frame_count + 1 >= frame_capacity) {
        frame_capacity = frame_capacity ? frame_capacity * 2 : 256;
        frames = (Frame *)realloc(frames, frame_capacity * sizeof *frames);
    }
    pf = frame_count ? &frames[frame_count - 1] : NULL;
    f = &frames[frame_count];
    f->si = PL_curstackinfo;
    f->cxix = ix;
    f->base = s->depth;
    f->top = -1;
    f->self.on = 0;
    f->self.node = 0;
    f->self.site = NULL;
    if (mode == M_RECORD)
        f->self.node =
            new_node(-s->unit, pf ? pf->top >= 0 ? pf->open[pf->top].node : pf->self.node : 0);
    else if (!pf) {
        f->self.node = 1;
        f->self.cur = 2;
        f->self.end = node_end[1];
        f->self.on = 1;
    } else {
        Level *l = pf->top >= 0 ? &pf->open[pf->top] : &pf->self;
        int m;
        if (l->on)
            for (m = l->cur; m < l->end && node[m].site < 0; m = node_end[m])
                if (node[m].site == -s->unit) {
                    l->cur = node_end[m];
                    f->self.node = m;
                    f->self.cur = m + 1;
                    f->self.end = node_end[m];
                    f->self.on = 1;
                    break;
                }
    }
    if (frame_count)
        SAVEDESTRUCTOR_X(
            end_frame,
            INT2PTR(void *, (IV)frame_count)); /* goes with the scope, however it is left */
    else
        SAVEDESTRUCTOR_X(end_program, NULL);
    frame_count++;
    return f;
}
static void raise_recorded(pTHX) {
    head->excs++;
    clear_err = 1;
    SAVESPTR(PL_diehook); /* until it is caught */
    PL_diehook = NULL;
    croak_sv(sv_2mortal(newSVpvs("\n")));
}
static OP *force_return(pTHX) {
    static OP *ret;
    dSP;
    if (!ret) {
        ret = (OP *)calloc(1, sizeof(LISTOP));
        ret->op_type = OP_RETURN;
        ret->op_ppaddr = PL_ppaddr[OP_RETURN];
    }
    head->rets++;
    PUSHMARK(SP);
    PL_op = ret;
    return PL_ppaddr[OP_RETURN](aTHX);
}
static int inside(Try *t, Try *in) {
    for (; t; t = t->up)
        if (t == in)
            return 1;
    return 0;
}
static OP *target(OP *L, int out) { return out ? cLOGOPx(L)->op_other : L->op_next; }
static void push_undef(pTHX_ Site *s) /* grep { one } and do { one } count on a value; leave
                                         supplies it, scope does not */
{
    if (s->push && OP_GIMME(s->after, 0) == G_SCALAR) {
        dSP;
        XPUSHs(&PL_sv_undef);
        PUTBACK;
    }
}
static OP *leave_out(pTHX_ Site *s, int n, Level *lv) {
    int i;
    head->left++;
    for (i = 0; i < s->npad; i++)
        save_clearsv(&PAD_SVl(s->pads[i])); /* a `my` left out: declared, fresh, undef */
    switch (s->jump) {
    case OP_RETURN: {
        dSP;
        PUSHMARK(SP);
        return s->stmt;
    }
    case OP_NEXT:
    case OP_LAST:
    case OP_REDO:
        PL_op = s->stmt;
        return PL_ppaddr[s->jump](aTHX); /* s->stmt may carry this very hook */
    case OP_DIE:
        if (lv->cur > node_count)
            stop_run(aTHX_ STOP_END);
        raise_recorded(aTHX);
    case OP_EXIT:
        stop_run(aTHX_ STOP_END);
    }
    if (s->kind == FOREACH) {
        OP *E = s->enter, *g;
        dSP;
        PUSHMARK(SP);
        if (E->op_flags & OPf_STACKED)
            XPUSHs(
                sv_2mortal((SV *)newAV())); /* range or one array: an empty array does for both */
        if (!E->op_targ && (g = loop_variable(E)))
            XPUSHs((SV *)cGVOPx_gv(g));
        PUTBACK;
        PL_op = E;
        return PL_ppaddr[OP_ENTERITER](aTHX);
    }
    if (s->enter) {
        PL_op = s->enter;
        PL_ppaddr[s->enter->op_type](aTHX);
    }
    if (s->logop) {
        if (node[n].out < 0) {
            if (node_end[n] > node_count)
                stop_run(aTHX_ STOP_END);
            raise_recorded(aTHX);
        } /* recorded: left while deciding */
        if (!node[n].out && s->kind == COND && s->logop->op_type != OP_COND_EXPR)
            push_undef(aTHX_ s);
        return target(s->logop, node[n].out);
    }
    push_undef(aTHX_ s);
    return s->after->op_next;
}
static Perl_ppaddr_t own_goto;
/* Where a replay by stops goes to for an event; NULL if it cannot. */
static OP *stop_of(Site *s) {
    int i;
    if (s->kind != ROUND)
        return s->state;
    for (i = 1; i <= site_count; i++)
        if (sites[i]->kind == WHILE && sites[i]->logop == s->logop)
            return sites[i]->state;
    return NULL;
}
/* Replay by stops, as the first STRIPE had a debugger do it.  A kept event runs to the program's
   next stop, wherever that is; one that is left out goes to the stop of the recorded next event.
   The output of a program that is not at its end by then is lost. */
static OP *step(pTHX) {
    static PVOP jump;
    char label[32];
    int n = ++head->stops + 1; /* node 1 is the program's activation */
    COP *to, *here = PL_curcop;
    STRLEN *warned = here->cop_warnings;
    OP *next;
    if (n > node_count || (!is_kept[n] && n == node_count)) {
        head->stop = STOP_STEPPED;
        _exit(0);
    }
    if (is_kept[n])
        return KEPT;
    to = (COP *)stop_of(sites[node[n + 1].site]);
    if (!to)
        give_up("no stop there");
    sprintf(label, "stop %d", node[n + 1].site);
    if (!CopLABEL(to))
        Perl_cop_store_label(aTHX_ to, label, strlen(label), 0);
    jump.op_type = OP_GOTO;
    jump.op_ppaddr = own_goto;
    jump.op_pv = (char *)CopLABEL(to);
    PL_op = (OP *)&jump;
    mode = M_OFF; /* it runs what begins the blocks that it enters */
    here->cop_warnings = pWARN_NONE;
    next = own_goto(aTHX);
    here->cop_warnings = warned;
    mode = M_STEP;
    return next;
}
static OP *event(pTHX_ Site *s) {
    Frame *f;
    Level *l, *o;
    int d, n, m;
    if (mode == M_STEP)
        return s->kind == PLAIN ? KEPT : step(aTHX);
    if (clear_err) {
        clear_err = 0;
        CLEAR_ERRSV();
    }
    unwound.known = 0;
    head->message_from = -1;
    f = frame_for(aTHX_ s);
    if (s->kind == PLAIN)
        return KEPT;
    d = s->depth - f->base;
    if (d < 0 || d >= DEEPEST_BLOCK) {
        refuse(s->line, "blocks this deep inside expressions");
        return KEPT;
    }
    if (d > f->top + 1)
        d = f->top + 1;
    if (looking)
        end_pending(aTHX_ f, d);
    l = d ? &f->open[d - 1] : &f->self;
    o = &f->open[d];
    f->top = d;
    o->site = s;
    start_pending(o, s);
    if (s->fixed && s->kind != ROUND)
        refuse(s->line, PL_op_desc[s->stmt->op_type]);
    if (mode == M_RECORD) {
        o->node = new_node(s->id, l->node);
        o->on = 1;
        return KEPT;
    }
    o->on = 0;
    o->node = 0;
    if (!l->on)
        goto off;
    while (l->cur < l->end && node[l->cur].site < 0)
        l->cur = node_end[l->cur]; /* calls that did not come */
    if (l->cur >= l->end) {
        if (!d) {
            if (f->self.node && node[f->self.node].out == 1)
                return force_return(aTHX);
            if (l->end > node_count)
                stop_run(aTHX_ STOP_END);
            raise_recorded(aTHX);
        }
        if (s->tr && s->tr->depth == s->depth) {
            if (l->end > node_count)
                stop_run(aTHX_ STOP_END);
            raise_recorded(aTHX);
        }
        goto off;
    }
    n = l->cur;
    if (node[n].site != s->id) {
        if (s->tr && !inside(sites[node[n].site]->tr, s->tr))
            raise_recorded(aTHX); /* recorded: an exception left the eval here */
        for (m = n; m < l->end; m = node_end[m])
            if (node[m].site == s->id)
                break;
        if (m >= l->end) {
            head->desync++;
            goto off;
        }
        for (; n < m; n = node_end[n])
            head->skipped++;
    }
    l->cur = node_end[n];
    o->node = n;
    o->cur = n + 1;
    o->end = node_end[n];
    if (!is_kept[n] && !s->fixed)
        return leave_out(aTHX_ s, n, l);
    o->on = 1;
    head->kept++;
    if (n == cut_node && s->kind != WHILE && s->kind != ROUND && s->kind != ITER)
        stop_run(aTHX_ STOP_CUT);
    if (looking)
        begin_kept(aTHX_ o, s, n);
    return KEPT;
off:
    if (++head->off > 20000 + 20 * node_count)
        stop_run(aTHX_ STOP_BUDGET);
    return KEPT;
}
static OP *run_statement(pTHX) {
    OP *o = PL_op, *r = PL_ppaddr[OP_NEXTSTATE](aTHX), *e;
    if (!live(aTHX))
        return r;
    e = event(aTHX_ find_hook(o, R_STMT)->site);
    return e == KEPT ? r : e;
}
static OP *run_expression(pTHX) {
    Hook *h = find_hook(PL_op, R_XEV);
    OP *o = PL_op;
    Perl_ppaddr_t orig = h->orig;
    Site *s;
    if (live(aTHX))
        for (s = h->site; s; s = s->also) {
            OP *e = event(aTHX_ s);
            if (e != KEPT)
                return e;
        }
    PL_op = o;
    return orig(aTHX);
}
static OP *run_round(pTHX) {
    Hook *h = find_hook(PL_op, R_UNSTACK);
    Site *s = h->site;
    OP *r = h->orig(aTHX), *e; /* what the body has declared is gone */
    if (!live(aTHX))
        return r;
    e = event(aTHX_ s);
    return e == KEPT ? r : e;
}
static Level *open_at(pTHX_ int depth, OP *L) {
    Frame *f;
    int d;
    if (!frame_count)
        return NULL;
    f = &frames[frame_count - 1];
    d = depth - f->base;
    if (f->si != PL_curstackinfo || d < 0 || d > f->top || d >= DEEPEST_BLOCK || !f->open[d].on ||
        f->open[d].site->logop != L)
        return NULL;
    f->top = d;
    return &f->open[d];
}
static OP *decided(pTHX_ Level *o, OP *L, OP *r,
                   int pushed) /* pushed: and/or leave their operand where they do not branch */
{
    int got = r == cLOGOPx(L)->op_other, want;
    if (mode == M_RECORD) {
        node[o->node].out = got;
        return r;
    }
    want = node[o->node].out;
    if (looking == LOOK_COMPARE)
        log_decision(o->node, got);
    if (want < 0) {
        if (o->end > node_count)
            stop_run(aTHX_ STOP_END);
        raise_recorded(aTHX);
    }
    if (got == want && o->node == cut_node)
        stop_run(aTHX_ STOP_CUT);
    if (got == want)
        return r;
    head->forced++;
    if (strict_program)
        stop_run(aTHX_ STOP_DIVERGED);
    if (pushed) {
        if (want)
            PL_stack_sp--;
        else
            PL_stack_sp++;
    }
    return target(L, want);
}
static OP *run_decision(pTHX) {
    OP *L = PL_op;
    Hook *h = find_hook(L, R_LOGOP);
    OP *r = h->orig(aTHX);
    Level *o;
    if (!live(aTHX) || !(o = open_at(aTHX_ h->depth, L)))
        return r;
    return decided(aTHX_ o, L, r, L->op_type != OP_COND_EXPR);
}
static OP *run_iterator(pTHX) {
    OP *it = PL_op, *r, *e, *L;
    Hook *h = find_hook(it, R_ITER);
    Site *s = h->site;
    Perl_ppaddr_t orig = h->orig;
    Level *o;
    if (live(aTHX)) {
        e = event(aTHX_ s);
        if (e != KEPT)
            return e;
    }
    PL_op = it;
    r = orig(aTHX);
    L = s->logop;
    if (r == L) {
        PL_op = L;
        r = L->op_ppaddr(aTHX);
        if (r != cLOGOPx(L)->op_other)
            PL_stack_sp--;
    }
    if (!live(aTHX) || !(o = open_at(aTHX_ s->depth, L)))
        return r;
    return decided(aTHX_ o, L, r, 0);
}
/* The sub is left here: a replay does not run on behind its last recorded event. */
static void note_return(pTHX) {
    if (mode == M_RECORD && frame_count && live(aTHX) &&
        frames[frame_count - 1].si == PL_curstackinfo && frames[frame_count - 1].self.node)
        node[frames[frame_count - 1].self.node].out = 1;
}
static OP *run_return(pTHX) {
    note_return(aTHX);
    return find_hook(PL_op, R_RET)->orig(aTHX);
}
static OP *run_leave(pTHX) {
    Hook *h = find_hook(PL_op, R_LEAVE);
    int d;
    if (live(aTHX) && frame_count && frames[frame_count - 1].si == PL_curstackinfo) {
        d = h->depth - frames[frame_count - 1].base;
        if (d >= 0 && d < frames[frame_count - 1].top)
            frames[frame_count - 1].top = d;
    }
    return h->orig(aTHX);
}

/* `goto &sub` ends an activation, and its caller has another one.  To a label neither a recording nor
   a replay can follow, in the user's code. */
static OP *run_goto(pTHX) {
    SV *to = PL_op->op_flags & OPf_STACKED ? *PL_stack_sp : NULL;
    if (to && SvROK(to) && SvTYPE(SvRV(to)) == SVt_PVCV)
        note_return(aTHX);
    else if (live(aTHX) && is_users(aTHX_ CopFILE(PL_curcop)))
        refuse(CopLINE(PL_curcop), "goto");
    return own_goto(aTHX);
}
