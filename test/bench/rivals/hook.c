// The hook as a C program: what it takes, at the least, to ask the daemon on $SOCKET about a turn that ends. It forwards
// the fields that it finds in the payload as they stand, escapes included, and reads of the answer what it needs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char payload[1 << 20], body[1 << 16], request[1 << 17], answer[1 << 20];

static size_t read_all(int fd, char *into, size_t size) {
  size_t length = 0;
  ssize_t got;
  while (length < size - 1 && (got = read(fd, into + length, size - 1 - length)) > 0) length += (size_t)got;
  into[length] = 0;
  return length;
}

// The raw text between the quotes of a string field; empty when there is none.
static void field(const char *name, char *into, size_t size) {
  char key[64];
  into[0] = 0;
  snprintf(key, sizeof key, "\"%s\":\"", name);
  const char *from = strstr(payload, key);
  if (!from) return;
  from += strlen(key);
  size_t length = 0;
  while (from[length] && from[length] != '"' && length < size - 1) length += from[length] == '\\' ? 2 : 1;
  memcpy(into, from, length);
  into[length] = 0;
}

int main(void) {
  static char session[1024], cwd[8192], turn[1024];
  read_all(0, payload, sizeof payload);
  field("session_id", session, sizeof session);
  field("cwd", cwd, sizeof cwd);
  field("prompt_id", turn, sizeof turn);
  int length = snprintf(body, sizeof body,
                        "{\"agent\":\"claude\",\"event\":{\"session_id\":\"%s\",\"hook_event_name\":\"Stop\",\"cwd\":\"%s\","
                        "\"turn_id\":\"%s\",\"stop_hook_active\":false,\"channel\":\"block\",\"ends_turn\":true}}",
                        session, cwd, turn);
  int total = snprintf(request, sizeof request,
                       "POST /api/agent-hook/event HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                       "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                       length, body);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv("SOCKET");
  if (!path || strlen(path) >= sizeof address.sun_path) return 1;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  if (write(fd, request, (size_t)total) != total) return 1;
  read_all(fd, answer, sizeof answer);
  if (!strstr(answer, " 200 ") || !strstr(answer, "\"triggered\":false")) return 1;
  puts("{}");
  return 0;
}
