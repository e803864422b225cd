import { keyFor, settle } from "../../gql/idempotency";
import { isTransient } from "../../gql/request";
import { Problem, unreachable } from "../../session/auth";

type Body = {
  document?: { id: number };
  error?: string;
  code?: string;
  requestId?: string;
  details?: { path: string; message: string }[];
};

/** Uploaded is the id of a document, and whether an earlier upload had made it already, or why it was refused. */
export type Uploaded = { id: string; before: boolean; problem?: undefined } | { id?: undefined; problem: Problem };

/**
 * upload sends a file to a deal, and tells how far it is, from 0 to 1. Whoever sends the same file again because its answer was
 * lost sends it under the same Idempotency-Key, and the server keeps it once.
 */
export function upload(deal: string, kind: string, file: File, progress: (part: number) => void): Promise<Uploaded> {
  return new Promise((resolve) => {
    const query = new URLSearchParams({ deal, kind, name: file.name });
    const sent = `${query} ${file.size} ${file.lastModified}`;
    const request = new XMLHttpRequest();
    request.open("POST", `/documents?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Idempotency-Key", keyFor(sent));
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) {
        progress(loaded / total);
      }
    };
    request.onerror = () => resolve({ problem: lost() });
    request.onload = () => {
      const answer = read(request);
      if (!answer.problem || !isOpen(request, answer.problem)) {
        settle(sent);
      }
      resolve(answer);
    };
    request.send(file);
  });
}

/** lost is the problem of an upload that no answer came to: it may have been kept. */
function lost(): Problem {
  const { message, code } = unreachable();
  return new Problem(`${message} The file may have been kept: sent again, it is not kept twice.`, code, undefined, []);
}

/** isOpen reports a refusal that leaves open whether the file was kept, or may yet be. */
const isOpen = (request: XMLHttpRequest, { code }: Problem) =>
  !code || isTransient(code) || request.getResponseHeader("Retry-After") !== null;

function read(request: XMLHttpRequest): Uploaded {
  let body: Body = {};
  try {
    body = JSON.parse(request.responseText) as Body;
  } catch {
    // Something between here and the server has answered.
  }
  if (request.status === 201 && body.document) {
    return { id: String(body.document.id), before: request.getResponseHeader("Idempotency-Replayed") !== null };
  }
  const message = body.error ?? `The server answered ${request.status}.`;
  return { problem: new Problem(message, body.code ?? "", body.requestId, body.details ?? []) };
}
