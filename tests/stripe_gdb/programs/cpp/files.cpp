// fstream: writes a file into the working directory, reads it back, a missing file.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

static int sum_of(const std::string &path) {
    std::ifstream in(path);
    if (!in) {
        std::cout << "cannot read " << path << '\n';
        return -1;
    }
    std::string line;
    int sum = 0, number = 0;
    while (std::getline(in, line)) {
        number++;
        auto at = line.find('=');
        if (at == std::string::npos) {
            std::cout << "line " << number << " skipped\n";
            continue;
        }
        std::istringstream value(line.substr(at + 1));
        int parsed = 0;
        if (value >> parsed)
            sum += parsed;
    }
    return sum;
}

int main() {
    {
        std::ofstream out("settings.txt");
        out << "# settings\n";
        for (int i = 1; i <= 3; i++)
            out << "key" << i << '=' << i * 11 << '\n';
    }
    std::ofstream("settings.txt", std::ios::app) << "last=x\n";
    std::cout << "sum " << sum_of("settings.txt") << '\n';
    std::cout << "sum " << sum_of("missing.txt") << '\n';
    std::remove("settings.txt");
    std::ofstream("sum.txt") << 66;
    return 0;
}
