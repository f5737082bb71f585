/* Hooks: some ops of the user's code have a function of ours; library code stays untouched. */

static UV hash_op(OP *o, int role) {
    return ((PTR2UV(o) >> 3) * 0x9E3779B97F4A7C15ULL >> 20) + (UV)role * 7919;
}
static Hook *find_hook(OP *o, int role) {
    UV i;
    if (!hook_capacity)
        return NULL;
    for (i = hash_op(o, role) & (hook_capacity - 1); hooks[i].op; i = (i + 1) & (hook_capacity - 1))
        if (hooks[i].op == o && hooks[i].role == role)
            return &hooks[i];
    return NULL;
}
static Hook *put_hook(OP *o, int role) {
    UV i;
    Hook *h = find_hook(o, role);
    if (h)
        return h;
    if (hook_count * 2 >= hook_capacity) {
        Hook *old = hooks;
        UV on = hook_capacity, j;
        hook_capacity = on ? on * 2 : 4096;
        hooks = (Hook *)calloc(hook_capacity, sizeof *hooks);
        for (j = 0; j < on; j++)
            if (old[j].op) {
                for (i = hash_op(old[j].op, old[j].role) & (hook_capacity - 1); hooks[i].op;
                     i = (i + 1) & (hook_capacity - 1))
                    ;
                hooks[i] = old[j];
            }
        free(old);
    }
    for (i = hash_op(o, role) & (hook_capacity - 1); hooks[i].op; i = (i + 1) & (hook_capacity - 1))
        ;
    hook_count++;
    hooks[i].op = o;
    hooks[i].role = role;
    return &hooks[i];
}
static OP *run_statement(pTHX), *run_expression(pTHX), *run_round(pTHX), *run_iterator(pTHX),
    *run_decision(pTHX), *run_return(pTHX), *run_leave(pTHX);
static Hook *hook(OP *o, int role, Site *s) {
    static Perl_ppaddr_t const f[] = {run_statement, run_expression, run_round, run_iterator,
                                      run_decision,  run_return,     run_leave};
    Hook *h = put_hook(o, role);
    if (o->op_ppaddr != f[role]) {
        h->orig = o->op_ppaddr;
        h->site = NULL;
    } /* an op freed and allocated anew is hooked anew */
    o->op_ppaddr = f[role];
    if (role == R_XEV && h->site) {
        Site *q = h->site;
        while (q->also)
            q = q->also;
        q->also = s;
    } /* outer first */
    else
        h->site = s;
    return h;
}
