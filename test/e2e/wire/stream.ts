/** Server-sent events; `[event, data]`, or the data alone. */
export const events = (list: (object | [string, object])[], end = "") =>
  new Response(
    list
      .map((one) =>
        Array.isArray(one)
          ? `event: ${one[0]}\ndata: ${JSON.stringify({ type: one[0], ...(one[1] as object) })}\n\n`
          : `data: ${JSON.stringify(one)}\n\n`,
      )
      .join("") + end,
    { headers: { "content-type": "text/event-stream" } },
  );
