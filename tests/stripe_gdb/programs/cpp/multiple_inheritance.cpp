// Multiple and virtual inheritance, dynamic_cast, typeid-free dispatch, thunks.
#include <iostream>
#include <typeinfo>

struct Named {
    const char *label;
    explicit Named(const char *label) : label(label) { std::cout << "named " << label << '\n'; }
    virtual ~Named() = default;
};

struct Reader : virtual Named {
    int position = 0;
    Reader() : Named("reader") {}
    virtual int read() { return ++position; }
};

struct Writer : virtual Named {
    int written = 0;
    Writer() : Named("writer") {}
    virtual void write(int value) { written += value; }
};

struct File : Reader, Writer {
    File() : Named("file") {}
    int read() override { return Reader::read() * 10; }
    void write(int value) override {
        Writer::write(value);
        std::cout << label << " writes " << value << '\n';
    }
};

static void inspect(Named *object) {
    if (auto *writer = dynamic_cast<Writer *>(object))
        writer->write(5);
    if (auto *reader = dynamic_cast<Reader *>(object))
        std::cout << "reads " << reader->read() << '\n';
    try {
        auto &file = dynamic_cast<File &>(*object);
        std::cout << "file " << file.written << ' ' << file.position << '\n';
    } catch (const std::bad_cast &) {
        std::cout << "no file\n";
    }
}

int main() {
    Reader reader;
    File file;
    Writer *side = &file;
    side->write(1);
    inspect(&reader);
    inspect(&file);
}
