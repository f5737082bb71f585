def checksum(record):
    a = b = c = 0
    a ^= b >> 1
    c += record[11]
    a, c = c, a
    a += record[13]
    a += record[13]
    c += record[7]
    record[12] = c & 255
    a += record[4]
    b ^= a >> 1
    b, a = a, b
    c += record[11]
    c += record[1]
    a, b = b, a
    record[10] = c & 255
    if c > b: c -= 24
    a ^= c >> 2
    c += record[15]
    c ^= b >> 3
    a, c = c, a
    b, a = a, b
    while b > 5000:
        b //= 3
    if a > c: a -= 49
    c, b = b, c
    c ^= b >> 4
    b, a = a, b
    while a > 5000:
        a //= 3
    record[1] = c & 255
    record[14] = c & 255
    c ^= b >> 3
    b += record[5]
    a, b = b, a
    a += record[4]
    record[12] = a & 255
    while b > 5000:
        b //= 2
    if b > c: b -= 9
    while b > 5000:
        b //= 4
    if b > c: b -= 15
    a = (a * 22 + c) % 9973
    c = (c * 4 + a) % 9973
    if c > a: c -= 17
    a ^= c >> 4
    b, c = c, b
    c = (c * 61 + a) % 9973
    while c > 5000:
        c //= 3
    if b > a: b -= 31
    record[6] = b & 255
    a += record[5]
    b += record[3]
    c += record[3]
    c ^= a >> 1
    while a > 5000:
        a //= 2
    record[11] = b & 255
    if a > c: a -= 32
    if b > c: b -= 20
    a += record[10]
    record[5] = b & 255
    a, c = c, a
    b, a = a, b
    record[9] = c & 255
    record[11] = a & 255
    b = (b * 71 + a) % 9973
    c, b = b, c
    record[7] = a & 255
    while b > 5000:
        b //= 2
    b, c = c, b
    record[8] = a & 255
    if b > a: b -= 45
    b, c = c, b
    while c > 5000:
        c //= 3
    a += record[7]
    if a > b: a -= 14
    if c > a: c -= 31
    record[3] = b & 255
    if c > a: c -= 31
    b = (b * 14 + c) % 9973
    while c > 5000:
        c //= 3
    if c > a: c -= 47
    a = (a * 6 + c) % 9973
    c = (c * 86 + b) % 9973
    c = (c * 87 + b) % 9973
    a ^= c >> 1
    c += record[4]
    if a > c: a -= 2
    a ^= b >> 2
    while c > 5000:
        c //= 3
    b, a = a, b
    c += record[14]
    record[4] = c & 255
    a, c = c, a
    while b > 5000:
        b //= 4
    a += record[4]
    if c > a: c -= 36
    b += record[3]
    a, c = c, a
    b = (b * 15 + a) % 9973
    b, a = a, b
    while a > 5000:
        a //= 3
    c, a = a, c
    record[15] = b & 255
    a, b = b, a
    a, b = b, a
    b = (b * 53 + a) % 9973
    if b > a: b -= 43
    b = (b * 30 + a) % 9973
    record[4] = b & 255
    record[4] = c & 255
    a ^= b >> 2
    record[15] = a & 255
    c = (c * 23 + a) % 9973
    record[10] = b & 255
    if a > b: a -= 21
    c += record[0]
    c ^= b >> 4
    record[10] = a & 255
    c, b = b, c
    a, c = c, a
    while a > 5000:
        a //= 2
    b ^= a >> 2
    a ^= b >> 3
    if a > b: a -= 45
    a ^= b >> 1
    while c > 5000:
        c //= 3
    b += record[2]
    while b > 5000:
        b //= 4
    while a > 5000:
        a //= 3
    while a > 5000:
        a //= 2
    c ^= b >> 3
    a, c = c, a
    c, a = a, c
    a += record[1]
    a = (a * 83 + b) % 9973
    c ^= a >> 3
    if c > a: c -= 18
    a ^= b >> 1
    a += record[15]
    b = (b * 87 + a) % 9973
    while c > 5000:
        c //= 4
    if c > b: c -= 33
    c ^= a >> 2
    a ^= c >> 4
    a ^= c >> 1
    c += record[13]
    a = (a * 88 + c) % 9973
    while b > 5000:
        b //= 4
    c = (c * 8 + b) % 9973
    if a > c: a -= 18
    if a > b: a -= 24
    c ^= b >> 2
    b += record[11]
    a = (a * 51 + b) % 9973
    b += record[6]
    c = (c * 14 + a) % 9973
    a ^= c >> 4
    a, b = b, a
    b += record[7]
    c += record[12]
    while b > 5000:
        b //= 2
    return a, b, c

record = list(range(3, 19))
for turn in range(4):
    print(turn, checksum(record))
print(record)
