/* git for programs under Wine: `git_server.py` runs the system's git with these arguments and streams.

   Wine's pipes are not pipes of Linux, so the streams go through three connections. */
#include <winsock2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

static HANDLE streams[3];
static SOCKET sockets[3];

static SOCKET connected(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((u_short)atoi(getenv("PASSED_GIT_PORT")))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    SOCKET made = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address)) exit(125);
    return made;
}

static void put(const void *data, int size) {
    for (const char *at = data; size > 0;) {
        int sent = send(sockets[0], at, size, 0);
        if (sent <= 0) exit(125);
        at += sent, size -= sent;
    }
}

/* Sends a text: its length in bytes in UTF-8, and these bytes. */
static void put_text(const wchar_t *text) {
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = malloc((size_t)size);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, made, size, NULL, NULL);
    size--;
    put(&size, 4);
    put(made, size);
    free(made);
}

static DWORD WINAPI from_input(void *unused) {
    char data[1 << 16];
    DWORD size;
    while (ReadFile(streams[0], data, sizeof data, &size, NULL) && size) put(data, (int)size);
    shutdown(sockets[0], SD_SEND);
    return 0;
}

static DWORD WINAPI to_output(void *which) {
    char data[1 << 16];
    for (int size; (size = recv(sockets[(size_t)which], data, sizeof data, 0)) > 0;) {
        DWORD written;
        for (char *at = data; size > 0; at += written, size -= (int)written)
            if (!WriteFile(streams[(size_t)which], at, (DWORD)size, &written, NULL)) exit(128 + 13); /* as SIGPIPE */
    }
    return 0;
}

int wmain(int count, wchar_t **arguments) {
    WSADATA started;
    WSAStartup(MAKEWORD(2, 2), &started);
    const DWORD names[3] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    for (int at = 0; at < 3; at++) streams[at] = GetStdHandle(names[at]);
    for (int at = 0; at < 3; at++) {
        const int hello[2] = {(int)GetCurrentProcessId(), at};
        sockets[at] = connected();
        send(sockets[at], (const char *)hello, 8, 0);
    }
    wchar_t folder[32768];
    GetCurrentDirectoryW(32768, folder);
    put_text(folder);
    for (wchar_t *each = GetEnvironmentStringsW(); *each; each += wcslen(each) + 1)
        if (wcschr(each + 1, L'=')) put_text(each);
    put_text(L"");
    for (int at = 1; at < count; at++) put_text(arguments[at]);
    put_text(L"");
    CreateThread(NULL, 0, from_input, NULL, 0, NULL);
    HANDLE errors = CreateThread(NULL, 0, to_output, (void *)2, 0, NULL);
    to_output((void *)1);
    WaitForSingleObject(errors, INFINITE);
    int code = 0;
    if (recv(sockets[0], (char *)&code, 4, MSG_WAITALL) != 4) return 125;
    return code;
}
