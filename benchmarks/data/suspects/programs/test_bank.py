import pytest
from bank import Account, Bank, loan_plan


@pytest.fixture
def bank():
    bank = Bank(fee=5)
    bank.open("ann").deposit(1000)
    bank.open("bob", limit=200).deposit(50)
    return bank


def test_deposit():
    account = Account("ann")
    account.deposit(10)
    account.deposit(5)
    assert account.balance == 15


@pytest.mark.parametrize("amount", [0, -1])
def test_nothing(amount):
    account = Account("ann")
    with pytest.raises(ValueError):
        account.deposit(amount)
    with pytest.raises(ValueError):
        account.withdraw(amount)


@pytest.mark.parametrize(("amount", "left"), [(30, 70), (100, 0), (150, -50)])
def test_withdraw(amount, left):
    account = Account("ann", 50)
    account.deposit(100)
    account.withdraw(amount)
    assert account.balance == left


def test_beyond_the_limit():
    account = Account("ann", 50)
    with pytest.raises(ValueError):
        account.withdraw(51)
    assert account.history == []


def test_statement():
    account = Account("ann")
    account.deposit(100)
    account.withdraw(30)
    account.deposit(1)
    assert account.statement() == ["+100 100", "-30 70", "+1 71"]


def test_one_account_each(bank):
    with pytest.raises(ValueError):
        bank.open("ann")


def test_transfer(bank):
    bank.transfer("ann", "bob", 100)
    assert bank.accounts["ann"].balance == 895
    assert bank.accounts["bob"].balance == 150


def test_transfer_to_oneself(bank):
    bank.transfer("ann", "ann", 100)
    assert bank.accounts["ann"].balance == 1000


def test_transfer_too_much(bank):
    with pytest.raises(ValueError):
        bank.transfer("ann", "bob", 996)
    assert bank.accounts["bob"].balance == 50


def test_transfer_all(bank):
    bank.transfer("ann", "bob", 995)
    assert bank.accounts["ann"].balance == 0


def test_interest(bank):
    bank.open("cid", 100).withdraw(100)
    assert bank.interest(2) == 21
    assert bank.accounts["ann"].balance == 1020
    assert bank.accounts["cid"].balance == -100


def test_richest(bank):
    assert bank.richest() == "ann"
    bank.accounts["bob"].deposit(2000)
    assert bank.richest() == "bob"
    assert Bank().richest() is None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, 12, 10), []),
        ((1000, 0, 600), [(1, 0, 600, 400), (2, 0, 400, 0)]),
        ((1000, 12, 600), [(1, 10, 600, 410), (2, 4, 414, 0)]),
    ],
)
def test_loan_plan(arguments, expected):
    assert loan_plan(*arguments) == expected


def test_loan_never_paid():
    with pytest.raises(ValueError):
        loan_plan(1000, 12, 10)
