
    class Account {
        long cents = 0;
        std::vector<int> moves;
      public:
        void pay(long amount) {
            cents += amount;            // member
            moves.push_back(amount);    // method
        }
    };
    int main() {
        Account mine;
        std::string name;
        std::cin >> name;               // cin
        for (auto x : mine.all()) {     // range
            std::cout << x << '\n';    // cout
        }
        mine.pay(3);                    // object
    }
