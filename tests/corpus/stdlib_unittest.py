import unittest, io
def slug(text): return "-".join(text.lower().split())
class SlugTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls): print("class set up")
    def setUp(self): print("set up", self._testMethodName)
    def tearDown(self): print("tear down")
    def test_simple(self): self.assertEqual(slug("A b"), "a-b")
    def test_fails(self): self.assertEqual(slug("A  b"), "a--b")
    def test_raises(self):
        with self.assertRaises(AttributeError) as cm:
            slug(None)
        print("lower" in str(cm.exception))
    @unittest.skip("later")
    def test_skipped(self): print("never")
    def test_subtests(self):
        for n in range(3):
            with self.subTest(n=n): self.assertNotEqual(n, 1)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(SlugTest)
result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped))
print([str(f[0]).split()[0] for f in result.failures])
