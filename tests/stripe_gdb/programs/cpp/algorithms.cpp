// std::sort with comparators, find_if, transform, accumulate, remove_if, stable_sort.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

struct Person {
    std::string name;
    int age;
};

static bool older(const Person &a, const Person &b) { return a.age > b.age; }

struct ByLength {
    bool operator()(const std::string &a, const std::string &b) const {
        return a.size() < b.size();
    }
};

int main() {
    std::vector<Person> people{{"Eve", 30}, {"Bob", 41}, {"Al", 25}};
    std::sort(people.begin(), people.end(), older);
    for (const Person &person : people)
        std::cout << person.name << ' ';
    auto young = std::find_if(people.begin(), people.end(),
                              [](const Person &p) { return p.age < 35; });
    std::cout << "- " << (young != people.end() ? young->name : "nobody") << '\n';

    std::vector<std::string> words{"pear", "fig", "kiwi", "plum", "apple"};
    std::stable_sort(words.begin(), words.end(), ByLength());
    for (const auto &word : words) std::cout << word << ' ';
    std::cout << '\n';

    std::vector<int> numbers(6), doubled;
    std::iota(numbers.begin(), numbers.end(), 1);
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(doubled),
                   [](int n) { return n * 2; });
    doubled.erase(std::remove_if(doubled.begin(), doubled.end(),
                                 [](int n) { return n % 3 == 0; }),
                  doubled.end());
    int sum = std::accumulate(doubled.begin(), doubled.end(), 0, [](int so_far, int n) {
        return so_far * 10 + n % 10;
    });
    std::cout << sum << ' ' << std::count(words.begin(), words.end(), "fig") << '\n';
}
