import { PasswordInput } from "@mantine/core";
import { useState } from "react";

/** State of a new password and its confirmation. */
export function useNewPassword() {
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  return {
    password,
    setPassword,
    confirmation,
    setConfirmation,
    matches: confirmation === password,
    /** The confirmation is filled in and differs. */
    mismatch: confirmation !== "" && confirmation !== password,
    clear: () => {
      setPassword("");
      setConfirmation("");
    },
  };
}

/** Fields for a new password and its confirmation. */
export function NewPassword({ state, error }: { state: ReturnType<typeof useNewPassword>; error: string | undefined }) {
  return (
    <>
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        value={state.password}
        onChange={(e) => state.setPassword(e.currentTarget.value)}
        error={error}
        required
      />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        value={state.confirmation}
        onChange={(e) => state.setConfirmation(e.currentTarget.value)}
        error={state.mismatch ? "Passwords do not match" : undefined}
        required
      />
    </>
  );
}
