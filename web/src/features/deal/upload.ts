import { keyFor, releaseKey } from "../../gql/idempotency";
import { isTransient } from "../../gql/request";
import { Problem, unreachable } from "../../session/auth";

type Body = {
  document?: { id: number };
  error?: string;
  code?: string;
  requestId?: string;
  details?: { path: string; message: string }[];
};

/** The id of a document, and whether an earlier upload had already created it; or the problem. */
export type UploadResult =
  | { id: string; replayed: boolean; problem?: undefined }
  | { id?: undefined; problem: Problem };

/**
 * Uploads a file to a deal, and reports progress from 0 to 1. The same file sent again after a lost response keeps its
 * Idempotency-Key, so the server stores it once.
 */
export function upload(
  deal: string,
  kind: string,
  file: File,
  progress: (fraction: number) => void,
): Promise<UploadResult> {
  return new Promise((resolve) => {
    const query = new URLSearchParams({ deal, kind, name: file.name });
    const write = `${query} ${file.size} ${file.lastModified}`;
    const request = new XMLHttpRequest();
    request.open("POST", `/documents?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Idempotency-Key", keyFor(write));
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) {
        progress(loaded / total);
      }
    };
    request.onerror = () => resolve({ problem: lostResponse() });
    request.onload = () => {
      const result = parseResponse(request);
      if (!result.problem || !isUnresolved(request, result.problem)) {
        releaseKey(write);
      }
      resolve(result);
    };
    request.send(file);
  });
}

/** The problem of an upload without a response: the file may have been stored. */
function lostResponse(): Problem {
  const { message, code } = unreachable();
  return new Problem(
    `${message} The file may have been saved. Uploading it again will not create a duplicate.`,
    code,
    undefined,
    [],
  );
}

/** Reports whether it is unknown if the file was or will be stored. */
const isUnresolved = (request: XMLHttpRequest, { code }: Problem) =>
  !code || isTransient(code) || request.getResponseHeader("Retry-After") !== null;

function parseResponse(request: XMLHttpRequest): UploadResult {
  let body: Body = {};
  try {
    body = JSON.parse(request.responseText) as Body;
  } catch {
    // Not JSON: a proxy responded.
  }
  if (request.status === 201 && body.document) {
    return { id: String(body.document.id), replayed: request.getResponseHeader("Idempotency-Replayed") !== null };
  }
  const message = body.error ?? `The server answered ${request.status}.`;
  return { problem: new Problem(message, body.code ?? "", body.requestId, body.details ?? []) };
}
