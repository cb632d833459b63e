"""Gets a URL and prints its body, or with --status its status alone."""
import sys
import urllib.error
import urllib.request

try:
    with urllib.request.urlopen(sys.argv[1], timeout=60) as answer:
        status, body = answer.status, answer.read().decode()
except urllib.error.HTTPError as error:
    status, body = error.code, error.read().decode()
print(status if "--status" in sys.argv[2:] else body)
