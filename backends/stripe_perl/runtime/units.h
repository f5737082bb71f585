/* Compile time: each unit (program, sub, file) as perl has finished its tree of ops. */

enum { INCLUDE, ONLY, EXCLUDE, SCOPES };
static regex_t scopes[SCOPES]; /* over absolute paths */
static int has_scope[SCOPES];

static int is_in_scope(int which, const char *path) {
    return has_scope[which] && !regexec(&scopes[which], path, 0, NULL, 0);
}
/* The program, and what is in its folder or named relative to it, unless the user says otherwise; no
   code from strings. */
static int is_users(pTHX_ const char *file) {
    char path[4096];
    if (!file || *file == '(' || !*file)
        return 0;
    if (has_scope[INCLUDE] || has_scope[ONLY] || has_scope[EXCLUDE]) {
        snprintf(path, sizeof path, "%s%s", *file == '/' ? "" : home, file);
        if (is_in_scope(EXCLUDE, path))
            return 0;
        if (is_in_scope(INCLUDE, path))
            return 1;
        if (has_scope[ONLY])
            return is_in_scope(ONLY, path);
    }
    return *file != '/' || !strncmp(file, home, strlen(home)) ||
           !strcmp(file, SvPV_nolen(get_sv("0", 0)));
}
static peep_t old_peep;
static void instrument_unit(pTHX_ OP *start) {
    OP *r = start, *p, *cop;
    Ctx c;
    int known = site_count;
    SV *name;
    Zero(&c, 1, Ctx);
    while ((p = op_parent(r)))
        r = p;
    if ((r->op_type != OP_LEAVE && r->op_type != OP_LEAVESUB && r->op_type != OP_LEAVESUBLV &&
         r->op_type != OP_LEAVEEVAL) ||
        PL_phase == PERL_PHASE_RUN ||
        PL_phase == PERL_PHASE_END /* compiled while running: part of its statement */
        || !(cop = find_state(r)) || !is_users(aTHX_ CopFILE((COP *)cop))) {
        old_peep(aTHX_ start);
        return;
    }
    disguise(r, OP_NEXTSTATE, OP_DBSTATE);
    old_peep(aTHX_ start);
    disguise(r, OP_DBSTATE, OP_NEXTSTATE);
    c.unit = ++unit_count;
    c.file = savepv(CopFILE((COP *)cop));
    c.line = CopLINE((COP *)cop);
    undo_threading(r);
    if (r->op_type == OP_LEAVESUB || r->op_type == OP_LEAVESUBLV) {
        hook(r, R_RET, NULL);
        find_in_block(first_child(r)->op_type == OP_LINESEQ ? first_child(r) : r, c);
    } else {
        OP *k = first_child(r);
        if (r->op_type == OP_LEAVEEVAL)
            hook(r, R_RET, NULL);
        find_in_block(has_statements(r) || !k ? r : OpHAS_SIBLING(k) ? OpSIBLING(k) : k, c);
    }
    find_all_locations(aTHX_ known + 1);
    name = r->op_type == OP_LEAVE || r->op_type == OP_LEAVEEVAL ? NULL : cv_name(PL_compcv, NULL, 0);
    for (c.function = savepv(name ? SvPV_nolen(name) : ""); ++known <= site_count;)
        sites[known]->function = c.function;
}
