// Streams: reading words and numbers from standard input, failing, formatting, string streams.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static int read_numbers(std::istream &in, int &sum) {
    int count = 0, number;
    while (in >> number) {
        sum += number;
        count++;
    }
    if (!in.eof())
        in.clear();
    return count;
}

int main() {
    std::string name;
    std::cout << "name? ";
    std::getline(std::cin, name);
    int sum = 0;
    int count = read_numbers(std::cin, sum);
    std::cout << "\nhello " << name << ": " << count << " numbers, sum " << sum << '\n';

    std::string word;
    while (std::cin >> word) {
        if (word == "stop")
            break;
        std::cout << std::setw(8) << word << '|' << word.size() << '\n';
    }
    std::cin >> word;
    std::cout << "next " << word << " good " << std::cin.good() << '\n';

    std::istringstream line("10 20 x");
    sum = 0;
    count = read_numbers(line, sum);
    std::cout << count << ' ' << sum << '\n';
    std::ostringstream out;
    out << std::hex << 255 << ' ' << std::setfill('0') << std::setw(4) << 10 << std::dec;
    out << ' ' << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::boolalpha << true;
    std::cout << out.str() << std::endl;
    std::cerr << "done\n";
    return 0;
}
