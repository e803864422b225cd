import { Problem, unreachable } from "../../session/auth";

type Body = {
  document?: { id: number };
  error?: string;
  code?: string;
  requestId?: string;
  details?: { path: string; message: string }[];
};

/** Uploaded is the id of a document that was made, or why it was refused. */
export type Uploaded = { id: string; problem?: undefined } | { id?: undefined; problem: Problem };

/** upload sends a file to a deal, and tells how far it is, from 0 to 1. */
export function upload(deal: string, kind: string, file: File, progress: (part: number) => void): Promise<Uploaded> {
  return new Promise((resolve) => {
    const query = new URLSearchParams({ deal, kind, name: file.name });
    const request = new XMLHttpRequest();
    request.open("POST", `/documents?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) {
        progress(loaded / total);
      }
    };
    request.onerror = () => resolve({ problem: unreachable() });
    request.onload = () => resolve(read(request));
    request.send(file);
  });
}

function read(request: XMLHttpRequest): Uploaded {
  let body: Body = {};
  try {
    body = JSON.parse(request.responseText) as Body;
  } catch {
    // Something between here and the server has answered.
  }
  if (request.status === 201 && body.document) {
    return { id: String(body.document.id) };
  }
  const message = body.error ?? `The server answered ${request.status}.`;
  return { problem: new Problem(message, body.code ?? "", body.requestId, body.details ?? []) };
}
