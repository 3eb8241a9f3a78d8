//! Checks expressions: their types, side effects and constant values.

use super::super::functions::FUNCTIONS;
use super::super::syntax::{self, BinaryOp, Expr as Written, UnaryOp};
use super::super::tree::{Constant, Expr, ExprId, Known, Lane, Typed};
use super::super::types::{Element, Number, Scalar, Type};
use super::{Checker, Frozen, Meaning, fold};
use crate::parts::source::Span;

/// Sets of swizzle letters; all letters of a swizzle are of one set.
pub(super) const LETTERS: [&str; 4] = ["xyzw", "rgba", "LTRB", "stpq"];

impl Checker<'_> {
    pub(super) fn expr(&mut self, id: syntax::ExprId) -> ExprId {
        let tree = self.tree;
        let (expr, span) = &tree.exprs[id.0 as usize];
        let span = *span;
        match expr {
            Written::Bool(b) => self.constant(vec![Constant::Bool(*b)], Type::BOOL, span),
            Written::Float(x) => self.constant(vec![Constant::Float(*x)], Type::FLOAT, span),
            Written::Int(n) => {
                let id = self.constant(vec![Constant::Int(*n)], Type::INT, span);
                self.set_literal(id)
            }
            Written::Name => self.name(span),
            Written::Unary(op, operand) => {
                let operand = self.expr(*operand);
                self.unary(*op, operand, span)
            }
            Written::Step { target, up, prefix } => {
                let target = self.expr(*target);
                self.step(target, *up, *prefix, span)
            }
            Written::Binary(op, left, right) => {
                let (left, right) = (self.expr(*left), self.expr(*right));
                self.binary(*op, left, right, span)
            }
            Written::Assign(op, target, value) => {
                let (target, value) = (self.expr(*target), self.expr(*value));
                self.assign(*op, target, value, span)
            }
            Written::Select(condition, yes, no) => {
                let condition = self.expr(*condition);
                let condition = self.coerce(condition, Type::BOOL);
                let (yes, no) = (self.expr(*yes), self.expr(*no));
                self.select(condition, yes, no, span)
            }
            Written::Comma(first, second) => {
                let (first, second) = (self.expr(*first), self.expr(*second));
                let ty = self.ty(second);
                self.node(Expr::Comma(first, second), ty, span, &[first, second], Known::Always)
            }
            Written::Index(base, index) => {
                let (base, index) = (self.expr(*base), self.expr(*index));
                self.index(base, index, span)
            }
            Written::Field(base, name) => {
                let base = self.expr(*base);
                self.field(base, *name, span)
            }
            Written::Call(name, arguments) => {
                let arguments: Vec<ExprId> = arguments.iter().map(|a| self.expr(*a)).collect();
                self.call(*name, arguments, span)
            }
            Written::Method(base, name, arguments) => self.method(*base, *name, arguments, span),
        }
    }

    // Nodes.

    /// Adds a node made of `parts`. It is known as late as the latest of them, or `least`, and has their effects.
    pub(super) fn node(
        &mut self,
        expr: Expr,
        ty: Type,
        span: Span,
        parts: &[ExprId],
        least: Known,
    ) -> ExprId {
        let known = parts.iter().map(|p| self.typed(*p).known).max().unwrap_or(Known::Always).max(least);
        let effects = parts.iter().any(|p| self.typed(*p).effects);
        self.add(Typed { expr, ty, span, known, literal: false, effects })
    }

    pub(super) fn constant(&mut self, value: Vec<Constant>, ty: Type, span: Span) -> ExprId {
        self.node(Expr::Constant(value), ty, span, &[], Known::Always)
    }

    pub(super) fn wrong(&mut self, span: Span) -> ExprId {
        self.node(Expr::Wrong, Type::Unknown, span, &[], Known::Always)
    }

    /// Reports an error and returns an erroneous expression.
    pub(super) fn refuse(&mut self, span: Span, message: impl Into<String>) -> ExprId {
        self.error(span, message);
        self.wrong(span)
    }

    fn set_literal(&mut self, id: ExprId) -> ExprId {
        self.program.exprs[id.0 as usize].literal = true;
        id
    }

    pub(super) fn with_effects(&mut self, id: ExprId) -> ExprId {
        self.program.exprs[id.0 as usize].effects = true;
        id
    }

    pub(super) fn value(&self, id: ExprId) -> Option<&[Constant]> {
        match &self.typed(id).expr {
            Expr::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn is_unknown(&self, list: &[ExprId]) -> bool {
        list.iter().any(|id| self.ty(*id) == Type::Unknown)
    }

    /// Converts the expression to a value of type `to`. Types that differ only in precision match, and integer literals
    /// become floats.
    pub(super) fn coerce(&mut self, id: ExprId, to: Type) -> ExprId {
        let typed = self.typed(id);
        let (ty, span) = (typed.ty, typed.span);
        if ty == Type::Unknown || to == Type::Unknown || ty.same(to) {
            return self.narrowed(id);
        }
        if typed.literal && to.same(Type::FLOAT) {
            let value =
                self.value(id).unwrap_or_default().iter().map(|c| fold::convert(*c, Scalar::Float)).collect();
            return self.constant(value, to, span);
        }
        let (wanted, given) = (self.show(to), self.show(ty));
        self.refuse(span, format!("expected `{wanted}`, but this is `{given}`"))
    }

    /// Returns an integer literal as an `int`, which has 32 bits; another expression as it is.
    pub(super) fn narrowed(&mut self, id: ExprId) -> ExprId {
        let typed = self.typed(id);
        let (ty, span, literal) = (typed.ty, typed.span, typed.literal);
        match self.value(id) {
            Some(&[Constant::Int(n)]) if literal && i32::try_from(n).is_err() => {
                self.constant(vec![fold::convert(Constant::Int(n), Scalar::Int)], ty, span)
            }
            _ => id,
        }
    }

    // Names.

    fn name(&mut self, span: Span) -> ExprId {
        let text = self.text(span);
        match self.scopes.get(text).cloned() {
            Some(Meaning::Variable { value: Some(value), ty, .. }) => self.constant(value, ty, span),
            Some(Meaning::Variable { variable, ty, known, .. }) => {
                self.node(Expr::Variable(variable), ty, span, &[], known)
            }
            Some(Meaning::Child(_)) => {
                self.refuse(span, format!("`{text}` can only be evaluated: {text}.eval(...)"))
            }
            Some(Meaning::Struct(_)) => self.refuse(span, format!("`{text}` is a type, not a value")),
            None if Type::named(text).is_some() => {
                self.refuse(span, format!("`{text}` is a type, not a value"))
            }
            None if self.functions.contains_key(text) || FUNCTIONS.iter().any(|f| f.name == text) => {
                self.refuse(span, format!("`{text}` is a function: call it"))
            }
            None => self.refuse(span, format!("`{text}` is not declared")),
        }
    }

    /// Returns the reason why an expression cannot be assigned to; `None` if it can.
    pub(super) fn frozen(&self, id: ExprId) -> Option<String> {
        let typed = self.typed(id);
        match &typed.expr {
            Expr::Variable(variable) => {
                let name = self.text(typed.span);
                match self.scopes.get(name) {
                    Some(Meaning::Variable { variable: v, frozen, .. }) if v == variable => {
                        frozen.map(|why| match why {
                            Frozen::Const => format!("`{name}` is constant"),
                            Frozen::Uniform => format!("`{name}` is a uniform"),
                            Frozen::Loop => {
                                format!("`{name}` is the variable of a loop, which the body cannot change")
                            }
                        })
                    }
                    _ => None,
                }
            }
            Expr::Index(base, index)
                if matches!(self.typed(*base).expr, Expr::Swizzle(..)) && self.value(*index).is_none() =>
            {
                Some("a swizzle is stored to by letters or a constant index".into())
            }
            Expr::Index(base, _) | Expr::Field(base, _) => self.frozen(*base),
            Expr::Swizzle(base, lanes) => {
                if lanes.iter().any(|lane| !matches!(lane, Lane::Component(_))) {
                    return Some("a swizzle with constants is not a place to store to".into());
                }
                let twice = (1..lanes.len()).any(|i| lanes[..i].contains(&lanes[i]));
                if twice {
                    return Some("a component is stored to twice".into());
                }
                self.frozen(*base)
            }
            Expr::Constant(_) => Some("this is a constant".into()),
            _ => Some("this is not a variable".into()),
        }
    }

    // Operators.

    fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        let ty = self.ty(operand);
        let fits = match (op, ty) {
            (_, Type::Unknown) => return self.wrong(span),
            (UnaryOp::Not, ty) => ty == Type::BOOL,
            (_, Type::Number(n)) => n.scalar != Scalar::Bool,
            _ => false,
        };
        if !fits {
            let shown = self.show(ty);
            let symbol = match op {
                UnaryOp::Not => "!",
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
            };
            return self.refuse(span, format!("`{symbol}` cannot be applied to `{shown}`"));
        }
        let literal = self.typed(operand).literal;
        if let Some(value) = self.value(operand).and_then(|v| fold::unary(op, v, literal)) {
            let id = self.constant(value, ty, span);
            return if literal { self.set_literal(id) } else { id };
        }
        self.node(Expr::Unary(op, operand), ty, span, &[operand], Known::Always)
    }

    fn step(&mut self, target: ExprId, up: bool, prefix: bool, span: Span) -> ExprId {
        let ty = self.ty(target);
        if ty == Type::Unknown {
            return self.wrong(span);
        }
        if ty.number().is_none_or(|n| n.scalar == Scalar::Bool) {
            let shown = self.show(ty);
            return self.refuse(span, format!("`++` and `--` are for numbers, not `{shown}`"));
        }
        if let Some(why) = self.frozen(target) {
            return self.refuse(self.typed(target).span, why);
        }
        let id = self.node(Expr::Step { target, up, prefix }, ty, span, &[target], Known::Never);
        self.with_effects(id)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        if self.is_unknown(&[left, right]) {
            return self.wrong(span);
        }
        let (left, right) = self.meet(left, right);
        let (a, b) = (self.ty(left), self.ty(right));
        let Some(ty) = self.result(op, a, b) else {
            let (a, b) = (self.show(a), self.show(b));
            let help = match op {
                BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::GreaterEqual
                    if self.ty(left).number().is_some_and(Number::is_vector) =>
                {
                    ": use lessThan(), greaterThan() and the like"
                }
                _ => "",
            };
            return self.refuse(span, format!("`{}` cannot be applied to `{a}` and `{b}`{help}", symbol(op)));
        };
        let literal = self.typed(left).literal && self.typed(right).literal;
        // Matrix products are not folded but computed by the shader.
        let matrix = [a, b].iter().any(|ty| ty.number().is_some_and(Number::is_matrix));
        if op == BinaryOp::Div && self.has_zero(right, literal) {
            return self.refuse(span, "division by zero");
        }
        if !matrix
            && let (Some(l), Some(r)) = (self.value(left), self.value(right))
            && let Some(value) = fold::binary(op, l, r, literal)
        {
            let id = self.constant(value, ty, span);
            return if literal && ty == Type::INT { self.set_literal(id) } else { id };
        }
        self.node(Expr::Binary(op, left, right), ty, span, &[left, right], Known::Always)
    }

    /// True if an integer divisor is the constant 0, or has it as a component. A literal divides another literal with 64
    /// bits.
    fn has_zero(&self, id: ExprId, literal: bool) -> bool {
        let zero = |c: &Constant| matches!(c, Constant::Int(n) if *n == 0 || !literal && *n as i32 == 0);
        match &self.typed(id).expr {
            Expr::Constant(value) => value.iter().any(zero),
            Expr::Construct(parts) => parts.iter().any(|part| self.has_zero(*part, literal)),
            _ => false,
        }
    }

    /// Converts an integer literal to a float if the other operand is a float.
    fn meet(&mut self, left: ExprId, right: ExprId) -> (ExprId, ExprId) {
        let float = |ty: Type| ty.number().is_some_and(|n| n.scalar == Scalar::Float);
        if self.typed(left).literal && float(self.ty(right)) {
            (self.coerce(left, Type::FLOAT), right)
        } else if self.typed(right).literal && float(self.ty(left)) {
            (left, self.coerce(right, Type::FLOAT))
        } else {
            (left, right)
        }
    }

    /// Returns the result type of an operation; `None` if the operation does not exist for these types.
    fn result(&self, op: BinaryOp, a: Type, b: Type) -> Option<Type> {
        use BinaryOp as B;
        match op {
            B::And | B::Or | B::Xor => (a == Type::BOOL && b == Type::BOOL).then_some(Type::BOOL),
            B::Equal | B::NotEqual => {
                let comparable = !matches!(a, Type::Void | Type::Child(_)) && !self.holds_array(a);
                (a.same(b) && comparable).then_some(Type::BOOL)
            }
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => {
                let n = a.number()?;
                (a.same(b) && n.is_scalar() && n.scalar != Scalar::Bool).then_some(Type::BOOL)
            }
            B::Mul | B::Div | B::Add | B::Sub => arithmetic(op, a.number()?, b.number()?).map(Type::Number),
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: ExprId, value: ExprId, span: Span) -> ExprId {
        let ty = self.ty(target);
        if self.is_unknown(&[target, value]) {
            return self.wrong(span);
        }
        if let Some(why) = self.frozen(target) {
            return self.refuse(self.typed(target).span, format!("cannot be assigned to: {why}"));
        }
        if self.holds_array(ty) {
            return self.refuse(span, "arrays, and structures that hold some, cannot be assigned");
        }
        let value = match op {
            None => self.coerce(value, ty),
            Some(op) => {
                let (_, value) = self.meet(target, value);
                let other = self.ty(value);
                if self.result(op, ty, other).is_none_or(|result| !result.same(ty)) {
                    let (a, b) = (self.show(ty), self.show(other));
                    return self
                        .refuse(span, format!("`{}=` cannot be applied to `{a}` and `{b}`", symbol(op)));
                }
                if op == BinaryOp::Div && self.has_zero(value, false) {
                    return self.refuse(span, "division by zero");
                }
                value
            }
        };
        let id = self.node(Expr::Assign(op, target, value), ty, span, &[target, value], Known::Never);
        self.with_effects(id)
    }

    fn select(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> ExprId {
        if self.is_unknown(&[condition, yes, no]) {
            return self.wrong(span);
        }
        let literal = self.typed(yes).literal && self.typed(no).literal;
        let (yes, no) = self.meet(yes, no);
        let (a, b) = (self.ty(yes), self.ty(no));
        if !a.same(b) || self.holds_array(a) {
            let (a, b) = (self.show(a), self.show(b));
            return self.refuse(span, format!("the values of `?` are of types `{a}` and `{b}`"));
        }
        let ty = match (a, b) {
            (Type::Number(a), Type::Number(b)) => Type::Number(Number { low: a.low && b.low, ..a }),
            (ty, _) => ty,
        };
        let (yes, no) = if literal { (yes, no) } else { (self.narrowed(yes), self.narrowed(no)) };
        if let Some([Constant::Bool(which)]) = self.value(condition)
            && let Some(value) = self.value(if *which { yes } else { no })
        {
            let id = self.constant(value.to_vec(), ty, span);
            return if literal { self.set_literal(id) } else { id };
        }
        self.node(Expr::Select(condition, yes, no), ty, span, &[condition, yes, no], Known::Always)
    }

    // Parts.

    fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        if self.is_unknown(&[base, index]) {
            return self.wrong(span);
        }
        let (count, ty) = match self.ty(base) {
            Type::Array(Element::Number(n), count) => (count, Type::Number(n)),
            Type::Array(Element::Struct(n), count) => (count, Type::Struct(n)),
            Type::Number(n) if n.is_matrix() => (u32::from(n.columns), Type::Number(n.part())),
            Type::Number(n) if n.is_vector() => (u32::from(n.rows), Type::Number(n.part())),
            other => {
                let shown = self.show(other);
                return self.refuse(span, format!("`{shown}` has no elements"));
            }
        };
        let index = self.coerce(index, Type::INT);
        let typed = self.typed(index);
        let place = typed.span;
        match (&typed.expr, typed.known) {
            (Expr::Wrong, _) => return self.wrong(span),
            (Expr::Constant(value), _) => {
                if let [Constant::Int(n)] = value[..]
                    && !(0..i64::from(count)).contains(&n)
                {
                    return self.refuse(place, format!("element {n} of {count}"));
                }
            }
            (_, Known::Never) => {
                return self.refuse(place, "an index must be a constant or a loop variable");
            }
            _ => {}
        }
        self.node(Expr::Index(base, index), ty, span, &[base, index], Known::Always)
    }

    fn field(&mut self, base: ExprId, name: Span, span: Span) -> ExprId {
        let text = self.text(name);
        match self.ty(base) {
            Type::Unknown => self.wrong(span),
            Type::Struct(n) => {
                let fields = &self.program.structs[n as usize].fields;
                match fields.iter().position(|(field, _)| field == text) {
                    Some(i) => {
                        let ty = fields[i].1;
                        self.node(Expr::Field(base, i as u32), ty, span, &[base], Known::Always)
                    }
                    None => {
                        let shown = self.show(Type::Struct(n));
                        self.refuse(name, format!("`{shown}` has no member `{text}`"))
                    }
                }
            }
            Type::Number(n) if !n.is_matrix() => match lanes(text, n) {
                Ok(lanes) => self.swizzle(base, lanes, n, span),
                Err(message) => self.refuse(name, message),
            },
            other => {
                let shown = self.show(other);
                self.refuse(name, format!("`{shown}` has no member `{text}`"))
            }
        }
    }

    fn swizzle(&mut self, base: ExprId, lanes: Vec<Lane>, of: Number, span: Span) -> ExprId {
        let ty = Type::Number(Number { rows: lanes.len() as u8, ..of });
        if let Some(value) = self.value(base) {
            let lane = |lane: &Lane| match lane {
                Lane::Component(i) => value.get(usize::from(*i)).copied(),
                Lane::Zero => Some(fold::convert(Constant::Int(0), of.scalar)),
                Lane::One => Some(fold::convert(Constant::Int(1), of.scalar)),
            };
            if let Some(value) = lanes.iter().map(lane).collect() {
                return self.constant(value, ty, span);
            }
        }
        self.node(Expr::Swizzle(base, lanes), ty, span, &[base], Known::Always)
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Xor => "^^",
        BinaryOp::Or => "||",
    }
}

/// Returns the shape and precision of `a op b`. Operations work component by component, and a scalar is applied to each
/// component; `*` of matrices is the product of linear algebra.
fn arithmetic(op: BinaryOp, a: Number, b: Number) -> Option<Number> {
    if a.scalar != b.scalar || a.scalar == Scalar::Bool {
        return None;
    }
    let low = a.low && b.low;
    let shape = match (a.is_scalar(), b.is_scalar()) {
        (_, true) => a,
        (true, _) => b,
        _ if op == BinaryOp::Mul && (a.is_matrix() || b.is_matrix()) => {
            // All matrices are square, so the inner dimensions match if both sides have the same number of rows.
            if a.rows != b.rows {
                return None;
            }
            if a.is_vector() { a } else { b }
        }
        _ if (a.columns, a.rows) == (b.columns, b.rows) => a,
        _ => return None,
    };
    Some(Number { low, ..shape })
}

/// Parses the letters of a swizzle of a scalar or vector.
fn lanes(text: &str, of: Number) -> Result<Vec<Lane>, String> {
    if text.len() > 4 {
        return Err(format!("`{text}` is not a swizzle: it has more than four letters"));
    }
    let mut set = None;
    let mut lanes = Vec::new();
    for letter in text.chars() {
        let lane = match letter {
            '0' => Lane::Zero,
            '1' => Lane::One,
            _ => {
                let found =
                    LETTERS.iter().enumerate().find_map(|(row, letters)| Some((row, letters.find(letter)?)));
                let Some((row, at)) = found else {
                    return Err(format!("`{text}` is not a swizzle: there is no component `{letter}`"));
                };
                if *set.get_or_insert(row) != row {
                    return Err(format!(
                        "`{text}` is not a swizzle: `{letter}` is of another set of letters"
                    ));
                }
                if at >= usize::from(of.rows) {
                    return Err(format!("`{}` has no component `{letter}`", super::show_number(of)));
                }
                Lane::Component(at as u8)
            }
        };
        lanes.push(lane);
    }
    if set.is_none() {
        return Err(format!("`{text}` is not a swizzle: it has no component"));
    }
    Ok(lanes)
}
