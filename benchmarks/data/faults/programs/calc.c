/* A calculator: one statement a line, with variables, functions and the usual precedence. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { T_END, T_NUMBER, T_NAME, T_OPERATOR };

struct token {
    enum kind kind;
    double number;
    char name[16];
    char operator;
};

struct variable {
    char name[16];
    double value;
};

static struct variable variables[32];
static int variable_count;
static const char *cursor;
static struct token token;
static int errors;

static void complain(const char *what)
{
    if (errors == 0)
        printf("error: %s\n", what);
    errors++;
}

static void next_token(void)
{
    int length = 0;

    while (isspace((unsigned char)*cursor))
        cursor++;
    if (*cursor == '\0') {
        token.kind = T_END;
        return;
    }
    if (isdigit((unsigned char)*cursor)) {
        double value = 0;
        double scale = 1;
        while (isdigit((unsigned char)*cursor)) {
            value = value * 10 + (*cursor - '0');
            cursor++;
        }
        if (*cursor == '.') {
            cursor++;
            while (isdigit((unsigned char)*cursor)) {
                scale = scale / 10;
                value = value + (*cursor - '0') * scale;
                cursor++;
            }
        }
        token.kind = T_NUMBER;
        token.number = value;
        return;
    }
    if (isalpha((unsigned char)*cursor)) {
        while (isalnum((unsigned char)*cursor) && length < 15) {
            token.name[length] = *cursor;
            length++;
            cursor++;
        }
        token.name[length] = '\0';
        token.kind = T_NAME;
        return;
    }
    token.kind = T_OPERATOR;
    token.operator = *cursor;
    cursor++;
}

static struct variable *find_variable(const char *name)
{
    int i;

    for (i = 0; i < variable_count; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i];
    return NULL;
}

static void set_variable(const char *name, double value)
{
    struct variable *found = find_variable(name);

    if (found == NULL) {
        found = &variables[variable_count];
        variable_count++;
        strcpy(found->name, name);
    }
    found->value = value;
}

static int is_operator(char wanted)
{
    return token.kind == T_OPERATOR && token.operator == wanted;
}

static double expression(void);

static double call(const char *name, double argument)
{
    if (strcmp(name, "sqrt") == 0)
        return sqrt(argument);
    if (strcmp(name, "abs") == 0)
        return argument < 0 ? -argument : argument;
    if (strcmp(name, "square") == 0)
        return argument * argument;
    complain("unknown function");
    return 0;
}

static double primary(void)
{
    double value = 0;
    char name[16];
    struct variable *found;

    if (token.kind == T_NUMBER) {
        value = token.number;
        next_token();
        return value;
    }
    if (token.kind == T_NAME) {
        strcpy(name, token.name);
        next_token();
        if (is_operator('(')) {
            next_token();
            value = expression();
            if (!is_operator(')'))
                complain("expected )");
            next_token();
            return call(name, value);
        }
        found = find_variable(name);
        if (found == NULL)
            complain("unknown variable");
        else
            value = found->value;
        return value;
    }
    if (is_operator('(')) {
        next_token();
        value = expression();
        if (!is_operator(')'))
            complain("expected )");
        next_token();
        return value;
    }
    complain("expected a value");
    return 0;
}

static double power(void)
{
    double base = primary();

    if (is_operator('^')) {
        next_token();
        return pow(base, power());
    }
    return base;
}

static double unary(void)
{
    if (is_operator('-')) {
        next_token();
        return -unary();
    }
    return power();
}

static double term(void)
{
    double left = unary();
    double right;

    while (is_operator('*') || is_operator('/') || is_operator('%')) {
        char operator = token.operator;
        next_token();
        right = unary();
        if (operator == '*') {
            left = left * right;
        } else if (right == 0) {
            complain("division by zero");
            left = 0;
        } else if (operator == '/') {
            left = left / right;
        } else {
            left = left - right * floor(left / right);
        }
    }
    return left;
}

static double expression(void)
{
    double left = term();

    while (is_operator('+') || is_operator('-')) {
        char operator = token.operator;
        double right;
        next_token();
        right = term();
        if (operator == '+')
            left = left + right;
        else
            left = left - right;
    }
    return left;
}

static void statement(const char *text)
{
    const char *equals = strchr(text, '=');
    char name[16];
    double value;

    errors = 0;
    cursor = text;
    next_token();
    if (token.kind == T_END)
        return;
    if (equals != NULL) {
        if (token.kind != T_NAME) {
            complain("expected a name");
            return;
        }
        strcpy(name, token.name);
        next_token();
        next_token();
        value = expression();
        if (errors == 0)
            set_variable(name, value);
    } else {
        value = expression();
        if (token.kind != T_END)
            complain("unexpected text");
        if (errors == 0)
            printf("%g\n", value);
    }
}

int main(void)
{
    char line[200];

    while (fgets(line, sizeof line, stdin) != NULL)
        statement(line);
    return 0;
}
