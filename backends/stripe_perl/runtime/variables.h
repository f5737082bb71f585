/* What a statement reads and writes, told from its ops: the locations of stripe.trace.Statement.
   Variables are named with their sigils, those that a package or an outer scope has as "::$x". */

enum { READ = 1, WRITE = 2, CHANGE = 4, HANDED = 8 }; /* CHANGE: read, and part of it written */
#define MOST_LOCATIONS 60

static Location *add_location(Site *s, int how, const char *name) {
    int i;
    for (i = 0; i < s->location_count; i++)
        if (!strcmp(s->locations[i].name, name)) {
            s->locations[i].how |= how;
            return &s->locations[i];
        }
    if (i == MOST_LOCATIONS || strpbrk(name, " \t\n|"))
        return NULL;
    s->locations = (Location *)realloc(s->locations, (i + 1) * sizeof(Location));
    Zero(&s->locations[i], 1, Location);
    s->locations[i].name = strdup(name);
    s->locations[i].how = how;
    s->location_count++;
    return &s->locations[i];
}
/* What is written counts where two variables of one name are meant: my $x = $x. */
static void add_variable(Site *s, int how, const char *name, PADOFFSET pad, GV *gv) {
    Location *found = add_location(s, how, name);
    if (found && (how & WRITE || (!found->pad && !found->gv))) {
        found->pad = pad;
        found->gv = (GV *)SvREFCNT_inc((SV *)gv);
    }
}
/* What is done to all that a reference may refer to: there the older value always counts. */
static int referred(int how) {
    return (how & (READ | CHANGE) ? READ : 0) | (how & (WRITE | CHANGE) ? WRITE : 0);
}
static int is_word(const char *text, STRLEN size) {
    return size && strspn(text, "abcdefghijklmnopqrstuvwxyz_"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == size;
}
static void add_key(pTHX_ Site *s, int how, SV *key) /* of a hash or an object that is referred to */
{
    char name[80];
    STRLEN size;
    const char *text = key && SvPOK(key) ? SvPV(key, size) : NULL;
    if (text && size < 60 && is_word(text, size)) {
        sprintf(name, ".%s", text);
        add_location(s, how, name);
        if (how == READ)
            return;
        how = WRITE;
    }
    add_location(s, how, ".{}");
}
static void add_pad(pTHX_ Site *s, int how, PADOFFSET at) {
    PADNAMELIST *names = PadlistNAMES(CvPADLIST(PL_compcv));
    PADNAME *pad = at && (SSize_t)at <= PadnamelistMAX(names) ? PadnamelistARRAY(names)[at] : NULL;
    char name[80];
    if (!pad || !PadnameLEN(pad) || PadnameLEN(pad) > 70 || !PadnamePV(pad))
        return;
    sprintf(name, "%s%s", PadnameOUTER(pad) || CvUNIQUE(PL_compcv) ? "::" : "", PadnamePV(pad));
    add_variable(s, how, name, at, NULL);
}
static void add_package_variable(pTHX_ Site *s, int how, char sigil, GV *gv) {
    const char *text = isGV(gv) ? GvNAME(gv) : NULL;
    char name[80];
    if (!text || GvNAMELEN(gv) > 60)
        return;
    if (sigil == '@' && !strcmp(text, "_")) {
        add_location(s, how & READ ? READ : CHANGE, "<argument>");
        return;
    }
    sprintf(name, "::%c%s", sigil, text);
    if (sigil == '$' && strspn(text, "0123456789&`'+") == strlen(text))
        add_location(s, how, "::$&"); /* what the last match has found */
    else
        add_variable(s, how, name, 0, gv);
}
static SV *constant(pTHX_ OP *o) { return o && o->op_type == OP_CONST ? cSVOPx_sv(o) : NULL; }
static GV *item_gv(pTHX_ UNOP_AUX_item *item) {
    SV *sv = UNOP_AUX_item_sv(item); /* a macro with a semicolon of its own */
    return (GV *)sv;
}
static void add_multideref(pTHX_ Site *s, OP *o, int how) {
    UNOP_AUX_item *item = cUNOP_AUXx(o)->op_aux;
    UV actions = item->uv;
    for (;; actions >>= MDEREF_SHIFT) {
        int hash = 0, through = 1, last, is, own = -1; /* own: an aggregate of that name */
        SV *key = NULL;
        GV *gv = NULL;
        PADOFFSET pad = 0;
        char sigil = '$';
        if ((actions & MDEREF_ACTION_MASK) == MDEREF_reload) {
            actions = (++item)->uv;
            actions <<= MDEREF_SHIFT;
            continue;
        }
        switch (actions & MDEREF_ACTION_MASK) {
        case MDEREF_HV_padhv_helem:
            hash = 1; /* FALLTHROUGH */
        case MDEREF_AV_padav_aelem:
            through = 0; /* FALLTHROUGH */
        case MDEREF_AV_padsv_vivify_rv2av_aelem:
            own = 1;
            break;
        case MDEREF_HV_padsv_vivify_rv2hv_helem:
            hash = own = 1;
            break;
        case MDEREF_HV_gvhv_helem:
            hash = 1;
            through = own = 0;
            sigil = '%';
            break;
        case MDEREF_AV_gvav_aelem:
            through = own = 0;
            sigil = '@';
            break;
        case MDEREF_HV_gvsv_vivify_rv2hv_helem:
            hash = 1; /* FALLTHROUGH */
        case MDEREF_AV_gvsv_vivify_rv2av_aelem:
            own = 0;
            break;
        case MDEREF_HV_pop_rv2hv_helem:
        case MDEREF_HV_vivify_rv2hv_helem:
            hash = 1;
        }
        if (own == 1)
            pad = (++item)->pad_offset;
        else if (own == 0)
            gv = item_gv(aTHX_ ++item);
        is = actions & MDEREF_INDEX_MASK;
        last = is == MDEREF_INDEX_none || (actions & MDEREF_FLAG_last);
        if (is == MDEREF_INDEX_const) {
            ++item;
            key = hash ? (SV *)item_gv(aTHX_ item) : NULL;
        } else if (is == MDEREF_INDEX_padsv)
            add_pad(aTHX_ s, READ, (++item)->pad_offset);
        else if (is == MDEREF_INDEX_gvsv)
            add_package_variable(aTHX_ s, READ, '$', item_gv(aTHX_ ++item));
        {
            int does = last ? how : READ;
            if (pad)
                add_pad(aTHX_ s, through ? READ : does & WRITE ? CHANGE : does, pad);
            else if (gv)
                add_package_variable(aTHX_ s, through ? READ : does & WRITE ? CHANGE : does, sigil,
                                     gv);
            if (through && is != MDEREF_INDEX_none) {
                if (hash)
                    add_key(aTHX_ s, referred(does), key);
                else
                    add_location(s, referred(does), ".[]");
            }
        }
        if (last)
            return;
    }
}
static int is_declared(OP *o) { return o->op_private & OPpLVAL_INTRO; }
/* how: what is done to the value of an op by the one around it. */
static void find_locations(pTHX_ Site *s, OP *o, int how) {
    OP *k = first_child(o), *last = NULL;
    int mine = how, all = 1;
    if (is_state(o) || is_nulled_state(o) || has_statements(o))
        return;
    if (!(o->op_flags & OPf_MOD))
        mine = how & HANDED ? READ | HANDED : READ;
    else if (how == READ)
        mine = READ | CHANGE;
    switch (o->op_type) {
    case OP_PADSV:
    case OP_PADAV:
    case OP_PADHV:
        add_pad(aTHX_ s, is_declared(o) ? WRITE : mine, o->op_targ);
        break;
    case OP_AELEMFAST_LEX:
        add_pad(aTHX_ s, READ, o->op_targ);
        break;
    case OP_AELEMFAST:
        add_package_variable(aTHX_ s, READ, '@', cGVOPx_gv(o));
        break;
    case OP_GVSV:
        add_package_variable(aTHX_ s, is_declared(o) ? WRITE : mine, '$', cGVOPx_gv(o));
        break;
    case OP_RV2SV:
    case OP_RV2AV:
    case OP_RV2HV:
        if (k && k->op_type == OP_GV) {
            char sigil = o->op_type == OP_RV2SV ? '$' : o->op_type == OP_RV2AV ? '@' : '%';
            add_package_variable(aTHX_ s, is_declared(o) ? WRITE : mine, sigil, cGVOPx_gv(k));
            return;
        }
        add_location(s, referred(mine),
                     o->op_type == OP_RV2SV ? ".$" : o->op_type == OP_RV2AV ? ".[]" : ".{}");
        how = READ;
        break;
    case OP_AELEM:
    case OP_HELEM: {
        OP *whole = k, *key = k ? OpSIBLING(k) : NULL;
        int does = is_declared(o) ? WRITE : mine;
        whole = whole ? strip(whole) : NULL;
        if (whole && (whole->op_type == OP_RV2HV || whole->op_type == OP_RV2AV) &&
            first_child(whole) && strip(first_child(whole))->op_type != OP_GV) {
            if (o->op_type == OP_HELEM)
                add_key(aTHX_ s, referred(does), constant(aTHX_ key));
            else
                add_location(s, referred(does), ".[]");
            find_locations(aTHX_ s, first_child(whole), READ);
        } else if (whole)
            find_locations(aTHX_ s, whole, does & (WRITE | CHANGE) ? CHANGE : READ);
        if (key)
            find_locations(aTHX_ s, key, READ);
        return;
    }
    case OP_MULTIDEREF:
        add_multideref(aTHX_ s, o, is_declared(o) ? WRITE : mine);
        break;
    case OP_SASSIGN: /* value, variable */
        if (k && OpHAS_SIBLING(k)) {
            find_locations(aTHX_ s, k, READ);
            find_locations(aTHX_ s, OpSIBLING(k), WRITE);
        }
        return;
    case OP_AASSIGN: /* values, variables */
        if (k && OpHAS_SIBLING(k)) {
            find_locations(aTHX_ s, k, READ);
            find_locations(aTHX_ s, OpSIBLING(k), WRITE);
        }
        return;
    case OP_LIST:
    case OP_NULL:
    case OP_PUSHMARK:
        break; /* passes on what is done to it */
    case OP_ENTERSUB:
    case OP_REFGEN:
    case OP_SREFGEN:
    case OP_ENTERITER:
        how = READ | HANDED;
        break;
    case OP_ANONHASH:
        add_location(s, WRITE, ".{}");
        for (last = k; last; last = OpSIBLING(last))
            if (constant(aTHX_ last))
                add_key(aTHX_ s, WRITE, constant(aTHX_ last));
        how = READ;
        break;
    case OP_ANONLIST:
        add_location(s, WRITE, ".[]");
        how = READ;
        break;
    case OP_SHIFT:
    case OP_POP:
        if (!k)
            add_location(s, READ, CvUNIQUE(PL_compcv) ? "::@ARGV" : "<argument>");
        how = CHANGE;
        break;
    case OP_PUSH:
    case OP_UNSHIFT:
    case OP_SPLICE: /* the array is the first, after the mark */
        all = 0;
        break;
    case OP_SUBST:
    case OP_MATCH:
    case OP_TRANS:
        if (o->op_type != OP_TRANS)
            add_location(s, WRITE, "::$&");
        if (o->op_targ)
            add_pad(aTHX_ s, o->op_type == OP_MATCH ? READ : READ | CHANGE, o->op_targ);
        how = o->op_type == OP_MATCH ? READ : READ | CHANGE;
        break;
    case OP_READLINE:
        add_location(s, READ, "<stdin>");
        add_location(s, WRITE, "<stdin>");
        how = READ;
        break;
    case OP_PRINT:
    case OP_SAY:
    case OP_PRTF:
        if (k && (o->op_flags & OPf_STACKED)) {
            OP *to = OpSIBLING(k) ? strip(OpSIBLING(k)) : NULL;
            GV *gv;
            if (to && to->op_type == OP_RV2GV && first_child(to))
                to = first_child(to);
            gv = to && to->op_type == OP_GV ? cGVOPx_gv(to) : NULL;
            add_location(s, WRITE, gv == PL_stderrgv              ? "<stderr>"
                                   : gv && gv == PL_defoutgv ? "<stdout>"
                                                             : "<file>");
        } else
            add_location(s, WRITE, "<stdout>");
        how = READ;
        break;
    case OP_WARN:
        add_location(s, WRITE, "<stderr>");
        how = READ;
        break;
    case OP_DIE:
    case OP_EXIT:
        add_location(s, WRITE, "<exit>");
        how = READ;
        break;
    case OP_RETURN:
        add_location(s, WRITE, "<return>");
        how = READ;
        break;
    default:
        how = READ;
    }
    if ((PL_opargs[o->op_type] & OA_TARGLEX && o->op_private & OPpTARGET_MY)
        || (o->op_type == OP_MULTICONCAT && o->op_private & OPpTARGET_MY))
        add_pad(aTHX_ s, WRITE, o->op_targ);
    for (; k; k = OpSIBLING(k)) {
        if (!all && k->op_type != OP_PUSHMARK) {
            find_locations(aTHX_ s, k, READ | CHANGE);
            all = 1;
            how = READ;
        } else
            find_locations(aTHX_ s, k, how);
    }
}
static void find_all_locations(pTHX_ int from) {
    int i;
    for (i = from; i <= site_count; i++) {
        Site *s = sites[i];
        if (!s->own || s->kind == PLAIN)
            continue;
        find_locations(aTHX_ s, s->own, READ);
        if (s->after && s->after->op_next && (s->after->op_next->op_type == OP_LEAVESUB))
            add_location(s, WRITE, "<return>");
        if (s->kind == FOREACH || s->kind == ITER) {
            int how = s->kind == ITER ? READ | WRITE : WRITE;
            OP *enter = s->header, *variable = enter ? loop_variable(enter) : NULL;
            add_location(s, how, "<next>");
            if (enter && enter->op_targ)
                add_pad(aTHX_ s, WRITE, enter->op_targ);
            else if (variable)
                add_package_variable(aTHX_ s, WRITE, '$', cGVOPx_gv(variable));
        }
    }
}
/* "reads writes", each "a|b|c" or "-". */
static void write_locations(FILE *file, Site *s) {
    int i, pass;
    for (pass = 0; pass < 2; pass++) {
        int n = 0;
        for (i = 0; i < s->location_count; i++) {
            int how = s->locations[i].how;
            const char *mark = "";
            if (pass == 0 && !(how & (READ | CHANGE)))
                continue;
            if (pass == 1) {
                if (how & WRITE)
                    mark = "";
                else if (how & CHANGE)
                    mark = strchr("$", *s->locations[i].name) || !strncmp(s->locations[i].name, "::$", 3) ? "" : "*";
                else if (how & HANDED && *s->locations[i].name != '.' && *s->locations[i].name != '<')
                    mark = "?";
                else
                    continue;
            }
            fprintf(file, "%s%s%s", n++ ? "|" : "", mark, s->locations[i].name);
        }
        fprintf(file, n ? "\t" : "-\t");
    }
}
