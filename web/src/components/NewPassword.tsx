import { PasswordInput } from "@mantine/core";
import { useState } from "react";

/** State of a new password and its confirmation. */
export function useNewPassword() {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  return {
    password,
    setPassword,
    again,
    setAgain,
    confirmed: again === password,
    /** The confirmation is filled in and differs. */
    differs: again !== "" && again !== password,
    clear: () => {
      setPassword("");
      setAgain("");
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
        value={state.again}
        onChange={(e) => state.setAgain(e.currentTarget.value)}
        error={state.differs ? "Passwords do not match" : undefined}
        required
      />
    </>
  );
}
