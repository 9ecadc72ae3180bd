"""Each schema as a lemma that Coq (8.16 or later) proves, once and for all sequences.

The lemma of a schema has the name that `verify.proof.schemas.Schema.lemma` gives.  What is summed
is any sequence of real numbers; Jensen's inequality is for vectors of every dimension, Markov's for
finitely many outcomes.
"""

__all__ = ["LEMMAS", "SCHEMA_LEMMAS"]

SCHEMA_LEMMAS = r"""
Require Import Reals Lra Lia.
Open Scope R_scope.

(* f 0 + ... + f (n - 1) *)
Fixpoint Sig (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => Sig f m + f m end.

(* the smallest and the largest of f 0, ..., f n *)
Fixpoint Least (f : nat -> R) (n : nat) : R :=
  match n with O => f O | S m => Rmin (Least f m) (f (S m)) end.
Fixpoint Most (f : nat -> R) (n : nat) : R :=
  match n with O => f O | S m => Rmax (Most f m) (f (S m)) end.

Lemma Sig_ext : forall f g n, (forall t, (t < n)%nat -> f t = g t) -> Sig f n = Sig g n.
Proof.
  induction n as [|n IH]; intros H; [reflexivity|]. simpl.
  rewrite IH, (H n); [reflexivity | lia | intros; apply H; lia].
Qed.

Lemma Sig_plus : forall f g n, Sig (fun t => f t + g t) n = Sig f n + Sig g n.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma Sig_scale : forall c f n, Sig (fun t => c * f t) n = c * Sig f n.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma Sig_nonneg : forall f n, (forall t, (t < n)%nat -> 0 <= f t) -> 0 <= Sig f n.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  assert (0 <= Sig f n) by (apply IH; intros; apply H; lia).
  assert (0 <= f n) by (apply H; lia). lra.
Qed.

Lemma Sig_pos : forall f n, (1 <= n)%nat -> (forall t, 0 < f t) -> 0 < Sig f n.
Proof.
  intros f [|n] N P; [lia|]. simpl. assert (0 <= Sig f n).
  { apply Sig_nonneg. intros; apply Rlt_le, P. }
  specialize (P n). lra.
Qed.

Lemma Sig_le : forall f g n, (forall t, (t < n)%nat -> f t <= g t) -> Sig f n <= Sig g n.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  assert (Sig f n <= Sig g n) by (apply IH; intros; apply H; lia).
  assert (f n <= g n) by (apply H; lia). lra.
Qed.

Lemma Sig_swap : forall (f : nat -> nat -> R) m n,
  Sig (fun i => Sig (f i) n) m = Sig (fun j => Sig (fun i => f i j) m) n.
Proof.
  induction m as [|m IH]; intros n; simpl.
  - induction n as [|n IH]; simpl; [reflexivity | rewrite <- IH; ring].
  - rewrite IH, <- Sig_plus. reflexivity.
Qed.

Lemma telescoped : forall (step a : nat -> R) T,
  (forall t, 0 <= step t) ->
  0 <= Sig (fun t => step t - a t + a (S t)) T + a O - a T.
Proof.
  induction T as [|T IH]; intros H; simpl; [lra|].
  assert (0 <= step T) by apply H. specialize (IH H). lra.
Qed.

Lemma last_iterate : forall (a : nat -> R) T,
  (forall t, 0 <= a t - a (S t)) -> 0 <= Sig (fun t => a (S t)) T - INR T * a T.
Proof.
  intros a T H. induction T as [|T IH]; [simpl; lra|].
  rewrite S_INR. simpl Sig. assert (P : 0 <= INR T) by apply pos_INR.
  assert (D := H T). assert (0 <= INR T * (a T - a (S T))) by (apply Rmult_le_pos; assumption).
  lra.
Qed.

Lemma geometric : forall (a : nat -> R) q b T,
  0 <= q -> 0 < 1 - q -> (forall t, 0 <= q * a t + b - a (S t)) ->
  0 <= q ^ T * a O + b * (1 - q ^ T) / (1 - q) - a T /\ 0 <= q ^ T /\ 0 <= 1 - q ^ T.
Proof.
  intros a q b T Q D H. split; [|split].
  - induction T as [|T IH]; [simpl; apply Req_le; field; lra|].
    assert (0 <= q * (q ^ T * a O + b * (1 - q ^ T) / (1 - q) - a T))
      by (apply Rmult_le_pos; assumption).
    specialize (H T). simpl pow.
    replace (q * q ^ T * a O + b * (1 - q * q ^ T) / (1 - q) - a (S T)) with
      (q * (q ^ T * a O + b * (1 - q ^ T) / (1 - q) - a T) + (q * a T + b - a (S T)))
      by (field; lra).
    lra.
  - apply pow_le; assumption.
  - assert (q ^ T <= 1 ^ T) by (apply pow_incr; lra). rewrite pow1 in *. lra.
Qed.

Lemma harmonic : forall (a : nat -> R) p q s v T,
  0 < s -> 0 <= s - p -> 0 <= v -> 0 <= v * (p - 1) - q -> 0 <= v - s * a O ->
  (forall t, 0 <= (1 - p / (INR t + s)) * a t + q / (INR t + s) ^ 2 - a (S t)) ->
  0 <= v / (INR T + s) - a T.
Proof.
  intros a p q s v T S0 SP V VQ V0 H. induction T as [|T IH].
  - simpl INR. rewrite Rplus_0_l.
    replace (v / s - a O) with ((v - s * a O) * / s) by (field; lra).
    apply Rmult_le_pos; [assumption | apply Rlt_le, Rinv_0_lt_compat; assumption].
  - specialize (H T). rewrite S_INR. assert (P : 0 <= INR T) by apply pos_INR.
    set (x := INR T + s) in *. assert (X : 0 < x) by (unfold x; lra).
    replace (INR T + 1 + s) with (x + 1) by (unfold x; ring).
    assert (A : 0 <= (1 - p / x) * (v / x - a T)).
    { apply Rmult_le_pos; [|assumption].
      replace (1 - p / x) with ((x - p) * / x) by (field; lra).
      apply Rmult_le_pos; [unfold x; lra | apply Rlt_le, Rinv_0_lt_compat; assumption]. }
    assert (B : 0 <= (v * (p - 1) - q) * / x ^ 2).
    { apply Rmult_le_pos; [assumption | apply Rlt_le, Rinv_0_lt_compat, pow_lt; assumption]. }
    assert (C : 0 <= v * / (x ^ 2 * (x + 1))).
    { apply Rmult_le_pos; [assumption|]. apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat;
        [apply pow_lt; assumption | lra]. }
    replace (v / (x + 1) - a (S T)) with
      ((1 - p / x) * (v / x - a T) + (v * (p - 1) - q) * / x ^ 2 + v * / (x ^ 2 * (x + 1))
       + ((1 - p / x) * a T + q / x ^ 2 - a (S T))) by (field; lra).
    lra.
Qed.

Lemma Least_le : forall f n t, (t <= n)%nat -> Least f n <= f t.
Proof.
  induction n as [|n IH]; intros t H; simpl.
  - replace t with O by lia. lra.
  - destruct (Nat.eq_dec t (S n)) as [->|E]; [apply Rmin_r|].
    eapply Rle_trans; [apply Rmin_l | apply IH; lia].
Qed.

Lemma Most_ge : forall f n t, (t <= n)%nat -> f t <= Most f n.
Proof.
  induction n as [|n IH]; intros t H; simpl.
  - replace t with O by lia. lra.
  - destruct (Nat.eq_dec t (S n)) as [->|E]; [apply Rmax_r|].
    eapply Rle_trans; [apply IH; lia | apply Rmax_l].
Qed.

Lemma smallest : forall f w n, (forall t, 0 <= w t) ->
  0 <= Sig (fun t => w t * f t) (S n) - Least f n * Sig w (S n).
Proof.
  intros f w n H. rewrite <- Sig_scale.
  assert (Sig (fun t => Least f n * w t) (S n) <= Sig (fun t => w t * f t) (S n)); [|lra].
  apply Sig_le. intros t L. rewrite Rmult_comm.
  apply Rmult_le_compat_l; [apply H | apply Least_le; lia].
Qed.

Lemma largest : forall f w n, (forall t, 0 <= w t) ->
  0 <= Most f n * Sig w (S n) - Sig (fun t => w t * f t) (S n).
Proof.
  intros f w n H. rewrite <- Sig_scale.
  assert (Sig (fun t => w t * f t) (S n) <= Sig (fun t => Most f n * w t) (S n)); [|lra].
  apply Sig_le. intros t L. rewrite (Rmult_comm (Most f n)).
  apply Rmult_le_compat_l; [apply H | apply Most_ge; lia].
Qed.

(* the inner product of two vectors of R^d *)
Definition dot (d : nat) (u v : nat -> R) : R := Sig (fun i => u i * v i) d.

Lemma averaged : forall (d T : nat) (F : (nat -> R) -> R) (slope z : nat -> R)
    (x : nat -> nat -> R) (w : nat -> R),
  (forall t, 0 <= w t) -> 0 < Sig w T ->
  (forall i, Sig w T * z i = Sig (fun t => w t * x t i) T) ->
  (forall y, 0 <= F y - F z - dot d slope (fun i => y i - z i)) ->
  0 <= Sig (fun t => w t * F (x t)) T - Sig w T * F z.
Proof.
  intros d T F slope z x w W P Z C.
  assert (A : Sig (fun t => w t * dot d slope (fun i => x t i - z i)) T = 0).
  { unfold dot. rewrite (Sig_ext _ (fun t => Sig (fun i => w t * (slope i * (x t i - z i))) d))
      by (intros; rewrite Sig_scale; reflexivity).
    rewrite Sig_swap.
    rewrite (Sig_ext _ (fun _ => 0)).
    - clear. induction d as [|d IH]; simpl; [reflexivity | rewrite IH; ring].
    - intros i _.
      rewrite (Sig_ext _ (fun t => slope i * (w t * x t i) + (- (slope i * z i)) * w t))
        by (intros; ring).
      rewrite Sig_plus, Sig_scale, Sig_scale, <- Z. ring. }
  assert (B : 0 <= Sig (fun t => w t * (F (x t) - F z - dot d slope (fun i => x t i - z i))) T).
  { apply Sig_nonneg. intros t _. apply Rmult_le_pos; [apply W | apply C]. }
  rewrite (Sig_ext _ (fun t => (w t * F (x t) + (- F z) * w t)
      + (-1) * (w t * dot d slope (fun i => x t i - z i)))) in B by (intros; ring).
  rewrite Sig_plus, Sig_plus, !Sig_scale, A in B. lra.
Qed.

Lemma markov : forall (chance x : nat -> R) c n,
  (forall o, 0 <= chance o) -> (forall o, 0 <= x o) -> 0 <= c ->
  0 <= Sig (fun o => chance o * x o) n
     - c * Sig (fun o => chance o * (if Rle_dec c (x o) then 1 else 0)) n.
Proof.
  intros chance x c n P X C. rewrite <- Sig_scale.
  assert (Sig (fun o => c * (chance o * (if Rle_dec c (x o) then 1 else 0))) n
          <= Sig (fun o => chance o * x o) n); [|lra].
  apply Sig_le. intros o _. specialize (P o). specialize (X o).
  destruct (Rle_dec c (x o)).
  - assert (0 <= chance o * (x o - c)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= chance o * x o) by (apply Rmult_le_pos; lra). lra.
Qed.

(* squares and product of two vectors, of which no combination has a negative square *)
Lemma product : forall a b uu uv vv : R,
  0 <= a -> 0 <= b -> 0 <= a ^ 2 - uu -> 0 <= b ^ 2 - vv ->
  (forall s t, 0 <= s ^ 2 * uu + 2 * (s * t) * uv + t ^ 2 * vv) -> 0 <= a * b - uv.
Proof.
  intros a b uu uv vv A B U W Q.
  destruct (Rle_or_lt uv (a * b)) as [E|E]; [lra|]. exfalso.
  remember (uv - a * b) as g eqn:D. assert (G : 0 < g) by lra.
  assert (S : 0 < a + b + 1 + g) by lra.
  remember (g / (a + b + 1 + g)) as h eqn:Z.
  assert (M : h * (a + b + 1 + g) = g) by (rewrite Z; field; lra).
  assert (H : 0 < h) by (rewrite Z; apply Rdiv_lt_0_compat; assumption).
  assert (L : h < 1).
  { destruct (Rlt_or_le h 1); [assumption|]. exfalso.
    assert (0 <= (h - 1) * (a + b + 1 + g)) by (apply Rmult_le_pos; lra). lra. }
  specialize (Q (b + h) (- (a + h))).
  assert (0 <= (b + h) ^ 2 * (a ^ 2 - uu))
    by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]).
  assert (0 <= (a + h) ^ 2 * (b ^ 2 - vv))
    by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]).
  assert (0 <= (b + h) ^ 2 * (h * (2 * a + h)))
    by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rmult_le_pos; lra]).
  assert (0 <= (a + h) ^ 2 * (h * (2 * b + h)))
    by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rmult_le_pos; lra]).
  assert (P : 0 < (a + h) * (b + h)) by (apply Rmult_lt_0_compat; lra).
  assert (X : (a + h) * (b + h) * uv <= (a + h) * (b + h) * ((a + h) * (b + h))) by lra.
  apply Rmult_le_reg_l in X; [|assumption].
  assert (0 < h * (1 + g - h)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma induction : forall claim : nat -> R,
  0 <= claim O -> (forall t, 0 <= claim t -> 0 <= claim (S t)) -> forall t, 0 <= claim t.
Proof. intros claim A B t. induction t as [|t IH]; [exact A | apply B, IH]. Qed.

Lemma cases : forall claim on : R,
  (0 <= on -> 0 <= claim) -> (0 <= - on -> 0 <= claim) -> 0 <= claim.
Proof. intros claim on A B. destruct (Rle_or_lt 0 on); [apply A | apply B]; lra. Qed.
"""

LEMMAS = (
    "telescoped",
    "last_iterate",
    "geometric",
    "harmonic",
    "smallest",
    "largest",
    "averaged",
    "markov",
    "product",
    "induction",
    "cases",
)
