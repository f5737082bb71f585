/* Run: stripe trace vault.c --tty --input $'< Name:\n> ada\n< PIN:\n> 1815\n< Amount:\n> 40' --check 'stdout:/^balance/'
   Insists on a terminal. What is awaited there and what is typed is a script. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    char name[40] = "", line[40] = "0";
    int balance = 100, amount = 0, tries = 0;
    if (!isatty(0)) {
        fprintf(stderr, "vault: I talk to people only\n");
        return 2;
    }
    printf("Name: "); fflush(stdout);
    fgets(name, sizeof name, stdin);
    char *pin = getpass("PIN: ");
    tries++;
    if (atoi(pin) != 1815)
        return 1;
    printf("Amount: "); fflush(stdout);
    fgets(line, sizeof line, stdin);
    amount = atoi(line);
    balance -= amount;
    printf("\nhello, %s", name);
    printf("balance %d after %d tries\n", balance, tries);
    return 0;
}
