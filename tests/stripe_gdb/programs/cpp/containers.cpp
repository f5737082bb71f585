// vector, map, set, deque, string: the usual operations.
#include <deque>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

int main() {
    std::vector<int> numbers{5, 3, 8};
    numbers.push_back(1);
    numbers.insert(numbers.begin() + 1, 9);
    numbers.erase(numbers.begin());
    for (std::size_t i = 0; i < numbers.size(); i++)
        std::cout << numbers[i] << (i + 1 < numbers.size() ? ',' : '\n');

    std::map<std::string, int> counts;
    std::string text = "to be or not to be";
    std::string::size_type from = 0;
    while (from < text.size()) {
        auto to = text.find(' ', from);
        if (to == std::string::npos)
            to = text.size();
        counts[text.substr(from, to - from)]++;
        from = to + 1;
    }
    for (auto it = counts.begin(); it != counts.end(); ++it)
        std::cout << it->first << '=' << it->second << ' ';
    std::cout << '\n';

    std::set<int> unique(numbers.begin(), numbers.end());
    unique.insert(3);
    unique.insert(4);
    std::cout << unique.size() << ' ' << unique.count(9) << ' ' << *unique.begin() << '\n';

    std::deque<int> line{1};
    for (int i = 2; i < 6; i++) {
        if (i % 2)
            line.push_front(i);
        else
            line.push_back(i);
    }
    while (!line.empty()) {
        std::cout << line.front();
        line.pop_front();
    }
    std::cout << '\n';
}
