"""What every exported Coq file starts with: sums over clients, powers, and a few small tactics.

The tactics do not search: `pos` follows the form of an expression, `nz` closes side conditions of
`field` by what is known not to vanish, `signs` multiplies inequalities as they are listed.
"""

PRELUDE = r"""
Require Import Reals Lra Lia Field Arith.
Open Scope R_scope.

(* The sum of f over the clients 1, ..., n. *)
Fixpoint Sum (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => Sum f m + f (S m) end.

Lemma Sum_ext : forall f g n,
  (forall k, (1 <= k <= n)%nat -> f k = g k) -> Sum f n = Sum g n.
Proof.
  induction n as [|n IH]; intros H; [reflexivity|].
  simpl. rewrite IH; [rewrite H; [reflexivity|lia] | intros; apply H; lia].
Qed.

Lemma Sum_plus : forall f g n, Sum (fun k => f k + g k) n = Sum f n + Sum g n.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma Sum_scale : forall c f n, Sum (fun k => c * f k) n = c * Sum f n.
Proof. induction n as [|n IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma Sum_count : forall c n, Sum (fun _ => c * 1) n = c * INR n.
Proof. induction n as [|n IH]; [simpl; ring | rewrite S_INR; simpl; rewrite IH; ring]. Qed.

Lemma Sum_ones : forall n, Sum (fun _ => 1) n = INR n.
Proof. induction n as [|n IH]; [reflexivity | rewrite S_INR, <- IH; reflexivity]. Qed.

Lemma Sum_nonneg : forall f n,
  (forall k, (1 <= k <= n)%nat -> 0 <= f k) -> 0 <= Sum f n.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  assert (0 <= Sum f n) by (apply IH; intros; apply H; lia).
  assert (0 <= f (S n)) by (apply H; lia). lra.
Qed.

Lemma Sum_le : forall f g n,
  (forall k, (1 <= k <= n)%nat -> f k <= g k) -> Sum f n <= Sum g n.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  assert (Sum f n <= Sum g n) by (apply IH; intros; apply H; lia).
  assert (f (S n) <= g (S n)) by (apply H; lia). lra.
Qed.

Lemma Sum_pos : forall f n, (1 <= n)%nat ->
  (forall k, (1 <= k <= n)%nat -> 0 < f k) -> 0 < Sum f n.
Proof.
  intros f [|n] N_pos H; [lia|]. simpl.
  assert (0 <= Sum f n) by (apply Sum_nonneg; intros; apply Rlt_le, H; lia).
  assert (0 < f (S n)) by (apply H; lia). lra.
Qed.

Lemma Sum_term : forall f n j, (1 <= j <= n)%nat ->
  (forall k, (1 <= k <= n)%nat -> 0 <= f k) -> f j <= Sum f n.
Proof.
  induction n as [|n IH]; intros j Hj H; [lia|]. simpl.
  assert (0 <= f (S n)) by (apply H; lia).
  assert (0 <= Sum f n) by (apply Sum_nonneg; intros; apply H; lia).
  destruct (Nat.eq_dec j (S n)) as [->|E]; [lra|].
  assert (f j <= Sum f n) by (apply IH; [lia | intros; apply H; lia]). lra.
Qed.

Lemma Cauchy_Schwarz_le : forall a b c n,
  (forall k, (1 <= k <= n)%nat -> 0 <= a k) ->
  (forall k, (1 <= k <= n)%nat -> 0 <= b k) ->
  (forall k, (1 <= k <= n)%nat -> c k * c k <= a k * b k) ->
  0 <= Sum a n * Sum b n - Sum c n * Sum c n.
Proof.
  intros a b c n Ha Hb Hc.
  assert (A : 0 <= Sum a n) by (apply Sum_nonneg; assumption).
  assert (B : 0 <= Sum b n) by (apply Sum_nonneg; assumption).
  assert (Q : forall x y, 0 <= x * x * Sum a n + 2 * (x * y) * Sum c n + y * y * Sum b n).
  { intros x y.
    rewrite <- (Sum_scale (x * x) a), <- (Sum_scale (2 * (x * y)) c), <- (Sum_scale (y * y) b).
    rewrite <- Sum_plus, <- Sum_plus. apply Sum_nonneg. intros k Hk.
    specialize (Ha k Hk). specialize (Hb k Hk). specialize (Hc k Hk).
    assert (Y : 0 <= y * y) by apply Rle_0_sqr.
    destruct (Req_dec (a k) 0) as [E|E].
    - assert (Z : c k = 0).
      { assert (0 <= c k * c k) by apply Rle_0_sqr.
        assert (c k * c k = 0) as W by (rewrite E in Hc; lra).
        destruct (Rmult_integral _ _ W); assumption. }
      rewrite E, Z. replace (x * x * 0 + 2 * (x * y) * 0 + y * y * b k) with (y * y * b k) by ring.
      apply Rmult_le_pos; assumption.
    - assert (P : 0 < a k) by lra.
      replace (x * x * a k + 2 * (x * y) * c k + y * y * b k)
        with ((x * a k + y * c k) * (x * a k + y * c k) * / a k
              + y * y * ((a k * b k - c k * c k) * / a k)) by (field; assumption).
      assert (0 < / a k) by (apply Rinv_0_lt_compat, P).
      assert (0 <= (x * a k + y * c k) * (x * a k + y * c k)) by apply Rle_0_sqr.
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra.
      apply Rmult_le_pos; lra. }
  assert (Q1 := Q (Sum c n) (- Sum a n)). assert (Q2 := Q (Sum b n) (- Sum c n)).
  destruct (Req_dec (Sum a n) 0) as [E|E].
  - rewrite E in *. destruct (Req_dec (Sum b n) 0) as [F|F].
    + rewrite F in *. assert (Q3 := Q 1 (- Sum c n)).
      assert (0 <= Sum c n * Sum c n) by apply Rle_0_sqr. lra.
    + assert (P : 0 < Sum b n) by lra.
      assert (Z : 0 <= Sum b n * (- (Sum c n * Sum c n))) by lra.
      destruct (Rle_or_lt 0 (- (Sum c n * Sum c n))) as [G|G]; [lra|].
      assert (0 < Sum b n * (Sum c n * Sum c n)) by (apply Rmult_lt_0_compat; lra). lra.
  - assert (P : 0 < Sum a n) by lra.
    assert (Z : 0 <= Sum a n * (Sum a n * Sum b n - Sum c n * Sum c n)) by lra.
    destruct (Rle_or_lt 0 (Sum a n * Sum b n - Sum c n * Sum c n)) as [G|G]; [lra|].
    assert (0 < Sum a n * - (Sum a n * Sum b n - Sum c n * Sum c n))
      by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma Cauchy_Schwarz : forall a b c n,
  (forall k, (1 <= k <= n)%nat -> 0 <= a k) ->
  (forall k, (1 <= k <= n)%nat -> 0 <= b k) ->
  (forall k, (1 <= k <= n)%nat -> a k * b k = c k * c k) ->
  0 <= Sum a n * Sum b n - Sum c n * Sum c n.
Proof.
  intros a b c n Ha Hb Hc. apply Cauchy_Schwarz_le; try assumption.
  intros k Hk. rewrite (Hc k Hk). lra.
Qed.

(* The inner product of R^d. *)
Definition dot (d : nat) (x y : nat -> R) : R := Sum (fun i => x i * y i) d.

Lemma dot_nonneg : forall d x, 0 <= dot d x x.
Proof. intros. apply Sum_nonneg. intros. apply Rle_0_sqr. Qed.

Lemma dot_bound : forall d x y, dot d x y * dot d x y <= dot d x x * dot d y y.
Proof.
  intros d x y. unfold dot.
  assert (0 <= Sum (fun i => x i * x i) d * Sum (fun i => y i * y i) d
               - Sum (fun i => x i * y i) d * Sum (fun i => x i * y i) d); [|lra].
  apply Cauchy_Schwarz; intros; [apply Rle_0_sqr | apply Rle_0_sqr | ring].
Qed.

Lemma dot_Sum : forall d n (c : nat -> nat -> R) y,
  dot d (fun i => Sum (fun k => c k i) n) y = Sum (fun k => dot d (c k) y) n.
Proof.
  intros d n c y. unfold dot. induction n as [|n IH]; simpl.
  - transitivity (Sum (fun _ => 0 * 1) d); [apply Sum_ext; intros; ring|].
    rewrite Sum_count. ring.
  - rewrite <- IH, <- Sum_plus. apply Sum_ext. intros. ring.
Qed.

Lemma Cauchy_Schwarz_dot : forall d n a b (c : nat -> nat -> R),
  (forall k, (1 <= k <= n)%nat -> 0 <= a k) ->
  (forall k, (1 <= k <= n)%nat -> 0 <= b k) ->
  (forall k, (1 <= k <= n)%nat -> a k * b k = dot d (c k) (c k)) ->
  0 <= Sum a n * Sum b n
       - dot d (fun i => Sum (fun k => c k i) n) (fun i => Sum (fun k => c k i) n).
Proof.
  intros d n a b c Ha Hb Hc. set (C := fun i => Sum (fun k => c k i) n).
  assert (A : 0 <= Sum a n) by (apply Sum_nonneg; assumption).
  assert (B : 0 <= Sum b n) by (apply Sum_nonneg; assumption).
  assert (q : 0 <= dot d C C) by apply dot_nonneg.
  assert (E : 0 <= Sum a n * Sum (fun k => dot d C C * b k) n
                   - Sum (fun k => dot d (c k) C) n * Sum (fun k => dot d (c k) C) n).
  { apply Cauchy_Schwarz_le; [assumption | intros; apply Rmult_le_pos; auto |].
    intros k Hk. replace (a k * (dot d C C * b k)) with ((a k * b k) * dot d C C) by ring.
    rewrite (Hc k Hk). apply dot_bound. }
  rewrite Sum_scale in E. rewrite <- dot_Sum in E. fold C in E.
  assert (0 <= Sum a n * Sum b n) by (apply Rmult_le_pos; assumption).
  destruct (Rle_or_lt 0 (Sum a n * Sum b n - dot d C C)) as [G|G]; [assumption|].
  assert (0 < dot d C C * - (Sum a n * Sum b n - dot d C C))
    by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(* The sum of f over the rounds 0, ..., n - 1. *)
Fixpoint Sum0 (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => Sum0 f m + f m end.

Lemma rounds_from_zero : forall P : nat -> Prop,
  P 0%nat -> (forall n, P n -> P (S n)) -> forall n, P n.
Proof. intros P start step n. induction n; auto. Qed.

Lemma rounds_from_one : forall P : nat -> Prop,
  P 1%nat -> (forall n, (1 <= n)%nat -> P n -> P (S n)) -> forall n, (1 <= n)%nat -> P n.
Proof.
  intros P start step n. induction n as [|[|n] IH]; intros H; [lia | assumption |].
  apply step; [lia | apply IH; lia].
Qed.

Lemma same_le : forall a b x y : R, a <= b -> x = a -> y = b -> x <= y.
Proof. intros; lra. Qed.
Lemma same_lt : forall a b x y : R, a < b -> x = a -> y = b -> x < y.
Proof. intros; lra. Qed.
Lemma same_eq : forall a b x y : R, a = b -> x = a -> y = b -> x = y.
Proof. intros; lra. Qed.

Lemma pow_at_most_one : forall x n, 0 <= x -> x <= 1 -> x ^ n <= 1.
Proof.
  intros x n H0 H1. rewrite <- (pow1 n). apply pow_incr. lra.
Qed.

Lemma Bernoulli : forall x n, 0 <= x -> 0 <= x ^ n - 1 - INR n * (x - 1).
Proof.
  intros x n H. induction n as [|n IH]; [simpl; lra|].
  rewrite S_INR. simpl.
  assert (0 <= x * (x ^ n - 1 - INR n * (x - 1))) by (apply Rmult_le_pos; assumption).
  assert (0 <= INR n * ((x - 1) * (x - 1)))
    by (apply Rmult_le_pos; [apply pos_INR | apply Rle_0_sqr]). lra.
Qed.

Lemma Rmax_either : forall a b, 0 <= (- (Rmax a b - a)) * (Rmax a b - b).
Proof.
  intros a b. unfold Rmax. destruct (Rle_dec a b); apply Req_le; ring.
Qed.

Lemma Rmin_either : forall a b, 0 <= (- (Rmin a b - a)) * (Rmin a b - b).
Proof.
  intros a b. unfold Rmin. destruct (Rle_dec a b); apply Req_le; ring.
Qed.

Lemma is_positive : forall x y, x = y -> 0 < y -> 0 < x. Proof. intros; lra. Qed.
Lemma is_nonnegative : forall x y, x = y -> 0 <= y -> 0 <= x. Proof. intros; lra. Qed.
Lemma nonzero_square : forall x, x <> 0 -> 0 < x ^ 2.
Proof. intros x H. apply (is_positive _ (Rsqr x)); [unfold Rsqr; ring | apply Rlt_0_sqr, H]. Qed.

Ltac pos :=
  match goal with
  | |- _ => assumption
  | H : forall k : nat, 0 < ?f k |- 0 < ?f _ => apply H
  | H : forall k : nat, 0 <= ?f k |- 0 <= ?f _ => apply H
  | |- 0 < ?a + ?b => first [ apply Rplus_lt_0_compat; solve [pos]
                            | apply Rplus_lt_le_0_compat; solve [pos]
                            | apply Rplus_le_lt_0_compat; solve [pos] ]
  | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; solve [pos]
  | |- 0 < ?a / ?b => apply Rdiv_lt_0_compat; solve [pos]
  | |- 0 < / ?a => apply Rinv_0_lt_compat; solve [pos]
  | |- 0 < ?a ^ 2 => apply nonzero_square; solve [nz]
  | |- 0 < ?a ^ ?n => apply pow_lt; solve [pos]
  | |- 0 < exp ?a => apply exp_pos
  | |- 0 < sqrt ?a => apply sqrt_lt_R0; solve [pos]
  | |- 0 < INR ?n => apply lt_0_INR; lia
  | |- 0 < Rmax ?a ?b => first [ apply Rlt_le_trans with a; [solve [pos] | apply Rmax_l]
                               | apply Rlt_le_trans with b; [solve [pos] | apply Rmax_r] ]
  | |- 0 < Rmin ?a ?b => apply Rmin_glb_lt; solve [pos]
  | |- 0 < Sum ?f ?n => apply Sum_pos; [lia | intros; solve [each; pos]]
  | |- 0 <= ?a + ?b => apply Rplus_le_le_0_compat; solve [pos]
  | |- 0 <= ?a * ?b => apply Rmult_le_pos; solve [pos]
  | |- 0 <= ?a / ?b => apply Rmult_le_pos; [solve [pos] | apply Rlt_le, Rinv_0_lt_compat; solve [pos]]
  | |- 0 <= ?a ^ 2 => apply pow2_ge_0
  | |- 0 <= ?a ^ ?n => apply pow_le; solve [pos]
  | |- 0 <= sqrt ?a => apply sqrt_pos
  | |- 0 <= Rabs ?a => apply Rabs_pos
  | |- 0 <= INR ?n => apply pos_INR
  | |- 0 <= dot ?d ?x ?x => apply dot_nonneg
  | |- 0 <= Rmax ?a ?b => first [ apply Rle_trans with a; [solve [pos] | apply Rmax_l]
                                | apply Rle_trans with b; [solve [pos] | apply Rmax_r] ]
  | |- 0 <= Rmin ?a ?b => apply Rmin_glb; solve [pos]
  | |- 0 <= Sum ?f ?n => apply Sum_nonneg; intros; solve [each; pos]
  | |- 0 <= _ => first [lra | apply Rlt_le; solve [pos]]
  | |- _ => lra
  end
with nz :=
  repeat split;
  first [ assumption
        | each; assumption
        | apply Rgt_not_eq; unfold Rgt; solve [pos]
        | apply Rmult_integral_contrapositive_currified; solve [nz]
        | apply pow_nonzero; solve [nz]
        | apply Rinv_neq_0_compat; solve [nz]
        | apply Rgt_not_eq; lra
        | apply Rlt_not_eq; lra
        | let Z := fresh in intro Z;
          match goal with
          | D : ?d <> 0, E : ?g = 0 |- False =>
              apply D; first [ lra | transitivity g; [ring | exact E]
                             | transitivity (- g); [ring | rewrite E; ring]
                             | rewrite E; unfold Rdiv; ring
                             | field_simplify_eq;
                               [ lra | repeat split; first [assumption | apply Rgt_not_eq; lra] ] ]
          end ]
with each :=
  repeat match goal with
  | K : (1 <= ?k <= ?n)%nat, H : forall j, (1 <= j <= ?n)%nat -> _ |- _ =>
      lazymatch type of (H k K) with
      | ?P => lazymatch goal with _ : P |- _ => fail | _ => pose proof (H k K) end
      end
  end; cbv beta in *.

Ltac equal := first [reflexivity | ring | field; nz
                    | rewrite ?pow_add; cbn [pow]; first [ring | field; nz]].

Ltac unroll :=
  rewrite ?S_INR; change (INR 0) with 0; cbn [Sum Sum0 pow]; rewrite ?S_INR;
  change (INR 0) with 0; equal.

Ltac signs :=
  match goal with
  | |- _ => assumption
  | |- 0 < IZR _ => lra
  | |- 0 <= IZR _ => lra
  | |- 0 < IZR _ / IZR _ => lra
  | |- 0 <= IZR _ / IZR _ => lra
  | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; signs
  | |- 0 <= ?a * ?b => apply Rmult_le_pos; signs
  | |- 0 <= _ => apply Rlt_le; signs
  end.
""".lstrip()  # noqa: E501 -- one line of Coq
