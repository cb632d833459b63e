#!/usr/bin/env python3
"""A client of a contest site's API, for scripts: site_client.py [options] METHOD PATH [JSON|@FILE]

  --url URL       the server
  --origin URL    public_url of its server.yml, where that is another one
  --login FILE    cookie and csrf of a login: kept there when an answer sets them, sent from there
  --token TEXT    in place of a login
Prints the status on standard error's first line and the body on standard output; exit status 1 for a status of 400 and more.
Standard library only.
"""
import json
import os
import sys
import urllib.error
import urllib.request


def main():
    words, given = sys.argv[1:], {}
    while words and words[0].startswith("--"):
        given[words[0][2:]] = words[1]
        words = words[2:]
    method, path = words[0], words[1]
    body = words[2] if len(words) > 2 else None
    headers = {"Origin": given.get("origin", given["url"])}
    data = None
    if body is not None:
        if body.startswith("@"):
            with open(body[1:], "rb") as file:
                data = file.read()
            headers["Content-Type"] = "application/octet-stream"
        else:
            data = body.encode()
            headers["Content-Type"] = "application/json"
    elif method != "GET":
        data, headers["Content-Type"] = b"{}", "application/json"
    kept = {}
    if "login" in given and os.path.exists(given["login"]):
        with open(given["login"], encoding="utf-8") as file:
            kept = json.load(file)
        headers["Cookie"] = kept["cookie"]
        headers["X-Warg-Token"] = kept.get("csrf", "")
    if "token" in given:
        headers["Authorization"] = "Bearer " + given["token"]
    request = urllib.request.Request(given["url"] + "/api/v1/" + path, data=data, headers=headers, method=method)
    try:
        answer = urllib.request.urlopen(request, timeout=100)
    except urllib.error.HTTPError as error:
        answer = error
    text = answer.read().decode()
    cookie = answer.headers.get("Set-Cookie")
    if "login" in given and cookie:
        kept = {"cookie": cookie.split(";")[0]}
        with open(given["login"], "w", encoding="utf-8") as file:
            json.dump(kept, file)
        again = urllib.request.Request(given["url"] + "/api/v1/account", headers={"Cookie": kept["cookie"]})
        kept["csrf"] = json.load(urllib.request.urlopen(again, timeout=100))["csrf"]
        with open(given["login"], "w", encoding="utf-8") as file:
            json.dump(kept, file)
    print(answer.status, file=sys.stderr)
    print(text)
    sys.exit(answer.status >= 400)


main()
