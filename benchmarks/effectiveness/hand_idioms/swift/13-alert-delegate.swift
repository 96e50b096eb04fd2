protocol DatePickerDelegate: AnyObject {
    func datePicker(_ picker: DatePickerView, didSelect date: Date)
    func datePickerDidCancel(_ picker: DatePickerView)
}

extension UIViewController {
    func showAlert(title: String, message: String) {
        let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
        let action = UIAlertAction(title: "OK", style: .default, handler: nil)
        alert.addAction(action)
        present(alert, animated: true, completion: nil)
    }
}
